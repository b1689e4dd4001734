/** JSON schema of a page of these items, as actions answer it. */
export const pageSchema = (items: object): object => ({
  type: 'object',
  properties: {
    count: { type: 'integer' },
    next: { type: ['string', 'null'], format: 'uri' },
    previous: { type: ['string', 'null'], format: 'uri' },
    results: { type: 'array', items },
  },
})
/** Query parameters that choose the page. */
export const pageQuery = { limit: { type: 'integer' }, offset: { type: 'integer' } }
