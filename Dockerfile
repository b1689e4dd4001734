# An image of the executable, the libraries that it asks for, certificates, and nothing else. After npm run build: docker build -t cabinet .
FROM debian:stable-slim AS gather
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates libstdc++6
COPY dist/cabinet /root/cabinet
COPY contrib/image.sh /root/
RUN sh /root/image.sh /root/cabinet /image

FROM scratch
COPY --from=gather /image /
# As in the service's unit (src/cli/service.ts): the threads share what the C library keeps of memory for them.
ENV CABINET_DATA=/data CABINET_LISTEN=:8080 MALLOC_ARENA_MAX=2
USER 65532:65532
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s CMD ["/usr/bin/cabinet", "health"]
ENTRYPOINT ["/usr/bin/cabinet"]
CMD ["serve"]
