/** An object that another is shown with: what it is called, and where its page is. */
export interface Named {
  id: number
  url: string
  display: string
}

/** Members that hold what an object is part of. */
export const Parents = ['device', 'circuit', 'power_panel', 'virtual_circuit', 'provider', 'virtual_machine'] as const

/** What an object is part of: its device, its circuit, its panel. */
export const parentOf = (object: object): Named | undefined =>
  Parents.map((name) => (object as Record<string, unknown>)[name]).find(
    (value): value is Named => typeof value === 'object' && value !== null,
  )

/** The same where the object's own name does not begin with it. */
export function parentBeside(object: { display?: string | undefined }): Named | undefined {
  const parent = parentOf(object)
  return parent && !object.display?.startsWith(parent.display) ? parent : undefined
}
