/** How a form asks for a value: a shape that pages draw, and that says nothing of HTML. */
export type Control =
  /**
   * One line; `type` says what kind of text the browser should help with. `from`: made from another field while it is
   * empty.
   */
  | {
      as: 'line'
      type: 'text' | 'email' | 'url' | 'number' | 'date' | 'datetime-local' | 'password'
      max?: number | undefined
      least?: number | undefined
      most?: number | undefined
      step?: number | 'any' | undefined
      from?: string | undefined
      /** A password that is typed once more: nothing is stored of it. */
      again?: boolean
    }
  /**
   * Several lines; `markdown` where they are shown with its marks worked out, `code` where each character counts,
   * `json` where they are that.
   */
  | { as: 'area'; markdown?: boolean; code?: boolean; json?: boolean; max?: number | undefined }
  | { as: 'color' }
  | { as: 'check' }
  | { as: 'truth' }
  | {
      as: 'choice'
      choices: readonly (readonly [value: string | number, label: string, group?: string])[]
      multiple?: boolean
    }
  /** Rows of a model, named by their ids unless `by` is another attribute. */
  | { as: 'pick'; model: string; multiple?: boolean; by?: string }
  /** A row of one of several models, or several such rows. */
  | { as: 'object'; models: readonly string[] | `feature:${string}`; multiple?: boolean }
  /** Names of models. */
  | { as: 'types'; feature: string; multiple?: boolean }
  /** A list of short texts or numbers with commas between, or one a line. */
  | { as: 'list'; lines?: boolean | undefined; number?: boolean }
  | { as: 'file'; image: boolean }
  | { as: 'custom' }
