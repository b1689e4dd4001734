import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Company } from '../../src/store/company.ts'

/** Has transactions wait beside `there` writers in all; answers how many of them waited for nobody who was missing. */
function wastedBy(company: Company, there: number, transactions: number): number {
  let wasted = 0
  for (let i = 0; i < transactions; i++) {
    let count = 1
    while (count < there && company.expectsMore(count)) count++
    if (company.expectsMore(count)) wasted++
    company.came(count)
  }
  return wasted
}

test('who writes alone hardly ever waits for others', () => {
  const company = new Company()
  assert.equal(wastedBy(company, 1, 1), 1, 'the first one looks whether there is anybody')
  assert.ok(wastedBy(company, 1, 1000) <= 6)
})

test('several writers find each other, and none waits once all are there', () => {
  const company = new Company()
  wastedBy(company, 1, 100)
  wastedBy(company, 4, 500)
  assert.equal(company.expectsMore(3), true)
  assert.ok(wastedBy(company, 4, 100) <= 8)
  assert.ok(wastedBy(company, 1, 20) <= 4, 'and is not waited for when it is gone')
})
