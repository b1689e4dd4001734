/** Variables that hold secrets, or name whose they are. */
const Names = [
  'CABINET_SUPERUSER_NAME',
  'CABINET_SUPERUSER_PASSWORD',
  'CABINET_SUPERUSER_API_TOKEN',
  'CABINET_API_TOKEN_PEPPERS',
  'CABINET_METRICS_TOKEN',
  'CABINET_OIDC_CLIENT_SECRET',
  'CABINET_PASSWORD',
  'CABINET_SOURCE_TOKEN',
  'CABINET_KIT_PASSPHRASE',
]

/**
 * Takes the secrets out of an environment and answers them: what a server starts, or shows by mistake, does not have
 * them.
 */
export function takeSecrets(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const taken: NodeJS.ProcessEnv = {}
  for (const name of Names) {
    if (env[name] === undefined) continue
    taken[name] = env[name]
    delete env[name]
  }
  return taken
}
