/** Parameters of data sources by their type, with what people call them. */
export const SourceParameters: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  git: { branch: 'Branch', username: 'Username', password: 'Password' },
  'amazon-s3': { aws_access_key_id: 'AWS access key ID', aws_secret_access_key: 'AWS secret access key' },
}

/** Those that neither pages nor change records show. */
export const SecretParameters: ReadonlySet<string> = new Set(['password', 'aws_secret_access_key'])
