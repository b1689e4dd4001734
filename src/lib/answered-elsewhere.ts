/** Ends work on a request that another thread answers, from the beginning: nobody is told of it here. */
export class AnsweredElsewhere extends Error {}
