/** What a query asks that it cannot have; the sentence goes to who asks. */
export class Refusal extends Error {}

/** A request that is no query: 400 with this sentence. */
export class BadRequest extends Error {}
