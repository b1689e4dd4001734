/** The parameters of an address: where one that has a single value is repeated, the last counts (as in Django). */
export class Parameters extends URLSearchParams {
  override get(name: string): string | null {
    return this.getAll(name).at(-1) ?? null
  }
}
