import { pageRoutes } from '../../src/web/routes.ts'

/** Paths of all pages that take a method, as for objects of these ids: `/dcim/sites/7/edit/`. */
export function pagePaths(method: string, ids: Readonly<Record<string, number>>): Map<string, readonly string[]> {
  const { routes } = pageRoutes({} as never)
  const found = new Map<string, readonly string[]>()
  for (const { path } of routes.filter((each) => each.method === method)) {
    const plain = path
      .replace(/\{(?:[^{}]|\{[^}]*\})*\}/g, (pattern) =>
        /^\{[a-z]/.test(pattern) ? `=${/[\w-]+/.exec(pattern)![0]}` : '',
      )
      .replace(/:\w+=/g, '')
    const examples = Object.entries(ids).map(([model, id]) =>
      plain
        .replace(':app', 'dcim')
        .replace(':model', model)
        .replace(':id', String(id))
        .replace(':tab', 'journal')
        .replace(/:\w+/g, '1'),
    )
    found.set(path, [...new Set(examples)])
  }
  return found
}
