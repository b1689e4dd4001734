import assert from 'node:assert/strict'
import { test } from 'node:test'
import { open, picture, violations } from '../support/browser.ts'
import { serve } from '../support/server.ts'

const client = await serve()
const kept = async () => (await client.call('GET', '/api/extras/dashboard/')).json

test('the home page is arranged with the keyboard, by dragging, and by its corners', async () => {
  const { page, complaints } = await open(client)
  await page.click('text=Arrange')
  await page.waitForSelector('.arranged .corner')
  assert.deepEqual(await violations(page), [])
  await picture(page, 'arranging')
  await page.focus('#wider-note')
  await page.keyboard.press('Enter')
  await page.waitForSelector('#w-note[data-w="5"]')
  await page.waitForSelector('#wider-note:focus')
  await page.keyboard.press('Enter')
  await page.waitForSelector('#w-note[data-w="6"] .corner')
  await page.waitForSelector('#wider-note:focus')

  await page.dragAndDrop('#t-ipam', '#t-bookmarks')
  await page.waitForSelector('#w-ipam:first-child .corner')
  const first = (await kept()).layout[0]
  assert.deepEqual([first.id, first.x, first.y], ['ipam', 0, 0])

  const corner = (await page.locator('#w-ipam .corner').boundingBox())!
  await page.mouse.move(corner.x + 5, corner.y + 5)
  await page.mouse.down()
  await page.mouse.move(corner.x + 260, corner.y + 160, { steps: 5 })
  await page.mouse.up()
  await page.waitForSelector('#w-ipam:not([data-w="4"])')
  const sized = (await kept()).layout[0]
  assert.ok(sized.w >= 6 && sized.h >= 5, JSON.stringify(sized))

  await page.click('text=Add a box')
  await page.click('.kinds >> text=Note')
  await page.fill('[name=title]', 'Numbers')
  await page.fill('[name=content]', 'Ring **117** at night.')
  await page.click('button.primary')
  await page.waitForSelector('.widget strong >> text=117')
  await page.click('text=Done')
  await page.waitForSelector('.dashboard:not(.arranged)')
  await picture(page, 'arranged')
  assert.deepEqual(await violations(page), [])
  assert.deepEqual(complaints, [])
})

test('what is pressed as soon as it is shown is answered in the page, and keeps the focus', async () => {
  const { page } = await open(client)
  await page.goto('/?arrange=1')
  await page.waitForSelector('.arranged .corner')
  const loads: string[] = []
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads.push(request.url())
  })
  // The first width is pressed for by hand, the second in the moment in which the first is shown.
  await page.evaluate(`{
    const { w } = document.querySelector('#w-note').dataset
    const seen = new MutationObserver(() => {
      const box = document.querySelector('#w-note')
      if (!box || box.dataset.w === w) return
      seen.disconnect()
      box.querySelector('#narrower-note').click()
    })
    seen.observe(document.body, { childList: true, subtree: true })
    document.querySelector('#narrower-note').focus()
  }`)
  const now = Number(await page.getAttribute('#w-note', 'data-w'))
  await page.keyboard.press('Enter')
  await page.waitForSelector(`#w-note[data-w="${now - 2}"] .corner`)
  await page.waitForSelector('#narrower-note:focus')
  assert.deepEqual(loads, [])
})
