// drizzle-kit reads the exports of this module. As CommonJS the exports object can be the map itself,
// so that no list of table names is kept anywhere.
const { all } = require('./schema.ts')
module.exports = all
