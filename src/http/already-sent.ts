/**
 * What tells the server of hono that an answer goes its own way. Made when first needed: making it loads node's fetch,
 * 20 ms of a start.
 */
export async function alreadySent(): Promise<Response> {
  const { RESPONSE_ALREADY_SENT: sent } = await import('@hono/node-server/utils/response')
  void sent.body // made from the server's light class by now, it would be sent like any other until it is looked into
  return sent
}
