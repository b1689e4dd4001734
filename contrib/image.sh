#!/bin/sh
# image.sh EXECUTABLE FOLDER: the file system of an image, of what this machine has: the executable, its libraries, certificates, a user and its folder.
set -eu
mkdir -p "$2/usr/bin" "$2/etc/ssl/certs" "$2/data" "$2/tmp"
cp "$1" "$2/usr/bin/cabinet"
chmod 755 "$2/usr/bin/cabinet"
ldd "$1" | grep -o '/[^ ]*' | while read -r library; do
  mkdir -p "$2$(dirname "$library")"
  cp -L "$library" "$2$library"
done
# What its addons ask for when they are loaded, and what looks names up.
libraries=$(dirname "$(ldd "$1" | grep -o '/[^ ]*/libc\.so\.6')")
for library in librt.so.1 libresolv.so.2 libnss_dns.so.2 libnss_files.so.2; do
  if [ -e "$libraries/$library" ]; then cp -L "$libraries/$library" "$2$libraries/"; fi
done
cp -L /etc/ssl/certs/ca-certificates.crt "$2/etc/ssl/certs/"
echo 'cabinet:x:65532:65532:Cabinet:/data:/usr/sbin/nologin' > "$2/etc/passwd"
echo 'cabinet:x:65532:' > "$2/etc/group"
echo 'hosts: files dns' > "$2/etc/nsswitch.conf"
chmod 1777 "$2/tmp"
chmod 700 "$2/data"
chown 65532:65532 "$2/data"
