/** Cabinet's version. Major and minor are those of the API it serves (SPEC 9.1). */
export const Version = '4.6.0'
export const ApiVersion = '4.6'
