/** Cabinet's version. Major and minor are those of the API it serves. */
export const Version = '4.6.0'
export const ApiVersion = '4.6'
