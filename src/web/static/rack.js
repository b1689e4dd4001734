// Moves devices in the drawings of racks. Pages work without it: by links, and by the form that moves a device.
;(() => {
  if (window.rackTool) return
  window.rackTool = true
  const base = document.querySelector('meta[name=base]').content
  const token = () => (document.cookie.match(/(?:^|; )csrftoken=([^;]+)/) || [])[1] || ''
  const near = (target, selector) => target?.closest?.(selector)

  /** A drawn face: its rack, its units, and what stands in them. */
  function faceOf(svg) {
    const { rack, name, face, height, start, descending, site, location, taken, box } = svg.dataset
    const [x, y, width, unit] = box.split(' ').map(Number)
    return {
      svg,
      rack: Number(rack),
      name,
      face,
      height: Number(height),
      start: Number(start),
      descending: Boolean(descending),
      site: Number(site),
      location: location ? Number(location) : null,
      taken: JSON.parse(taken),
      x,
      y,
      width,
      unit,
    }
  }

  function deviceOf(element) {
    const { device, units, deep, in: rack, at, side, title, etag } = element.dataset
    return {
      element,
      id: Number(device),
      units: Number(units),
      deep: Boolean(deep),
      rack: rack ? Number(rack) : null,
      position: at ? Number(at) : null,
      face: side,
      name: title,
      etag,
    }
  }

  /** Why a device does not fit at a position of a face; empty where it does. The API has the last word. */
  function why(device, face, position) {
    if (device.units === 0) return `${device.name} is 0U: it takes no unit.`
    const [low, high] = [position, position + device.units]
    const [bottom, top] = [face.start, face.start + face.height]
    if (low < bottom || low >= top) return `${face.name} has no U${position}.`
    if (high > top) return `${device.name} needs ${device.units}U; there are ${top - low}U from U${position} up.`
    for (const [at, units, side, deep, id, name] of face.taken) {
      if (id === device.id || low >= at + units || high <= at) continue
      if (side === face.face) return `U${Math.max(at, low)} is taken by ${name}.`
      if (deep) return `${name}, at the ${side}, takes the full depth at U${Math.max(at, low)}.`
      if (device.deep) return `${device.name} takes the full depth; ${name} is at the ${side} of U${Math.max(at, low)}.`
    }
    return ''
  }

  const tool = () => document.querySelector('[data-racks]')
  const isOn = () => tool()?.classList.contains('rearranging') ?? false

  function say(text, undo) {
    const line = tool()?.querySelector('.said')
    if (!line) return
    line.textContent = text
    if (!undo) return
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = 'Undo'
    button.addEventListener('click', undo)
    line.append(' ', button)
  }

  function turn(on) {
    const own = tool()
    own.classList.toggle('rearranging', on)
    own.querySelector('[data-rearrange]')?.setAttribute('aria-pressed', String(on))
    say(on ? 'Drag a device to another unit, face or rack, or choose it and then its unit in the form.' : '')
  }

  const messages = (body) =>
    typeof body === 'object' && body !== null ? Object.values(body).flatMap(messages) : [String(body)]

  /** Changes a device as the API would, shows the drawing anew, and says what came of it. */
  async function move(device, change, done, undo) {
    const answer = await fetch(`${base}/api/dcim/devices/${device.id}/`, {
      method: 'PATCH',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        'x-csrftoken': token(),
        ...(device.etag ? { 'if-match': device.etag } : {}),
      },
      body: JSON.stringify(change),
    }).catch(() => undefined)
    if (answer?.ok) {
      const etag = answer.headers.get('etag') ?? ''
      await renew(device.id)
      return say(done, undo && (() => move({ ...device, etag }, undo, `${device.name} is back where it was.`)))
    }
    const body = await answer?.json().catch(() => ({}))
    if (answer?.status === 412) {
      await renew(device.id)
      return say(`Somebody else changed ${device.name} meanwhile; nothing was moved. This is how it is now.`)
    }
    say(`${device.name} stays where it is: ${messages(body ?? 'the server does not answer.').join(' ')}`)
  }

  /** The drawings as they are now, in the place of those shown. */
  async function renew(id) {
    const answer = await fetch(location.href, { headers: { accept: 'text/html' } })
    const shown = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('[data-racks]')
    const old = tool()
    if (!shown || !old) return location.reload()
    for (const script of shown.querySelectorAll('script')) script.remove()
    const wasOn = isOn()
    old.replaceWith(shown)
    window.htmx?.process(shown)
    ready()
    if (wasOn) turn(true)
    shown.querySelector(`[data-device="${id}"]`)?.focus({ preventScroll: true })
  }

  /** Moves a device to a unit of a face, or out of its unit where `position` is null. */
  function place(device, face, position) {
    const before = { rack: device.rack, position: device.position, face: device.position === null ? '' : device.face }
    const change = { rack: face.rack, position, face: position === null ? '' : face.face }
    if (device.rack !== face.rack && face.rack !== null)
      Object.assign(change, { site: face.site, location: face.location })
    const home = [...document.querySelectorAll('svg[data-rack]')].map(faceOf).find(({ rack }) => rack === device.rack)
    if (home && device.rack !== face.rack) Object.assign(before, { site: home.site, location: home.location })
    const done =
      position === null
        ? `${device.name} is at no unit now.`
        : `${device.name} is now at U${position}, ${face.face}, of ${face.name}.`
    return move(device, change, done, before)
  }

  /* Dragging */
  let held
  const point = (svg, { clientX, clientY }) =>
    new DOMPoint(clientX, clientY).matrixTransform(svg.getScreenCTM().inverse())

  /** The position at which a dragged device would stand, by halves for half units and with Shift. */
  function positionAt(face, event) {
    const { device, grip } = held
    const step = device.units % 1 || event.shiftKey ? 2 : 1
    const above = Math.round(((point(face.svg, event).y - face.y) / face.unit - grip) * step) / step
    return face.descending ? face.start + above : face.start + face.height - above - device.units
  }

  function ghost(face, position, isFine) {
    const { device } = held
    held.ghost ??= document.createElementNS('http://www.w3.org/2000/svg', 'rect')
    const above = face.descending ? position - face.start : face.start + face.height - position - device.units
    for (const [name, value] of Object.entries({
      class: `ghost ${isFine ? 'good' : 'bad'}`,
      x: face.x,
      y: face.y + above * face.unit,
      width: face.width,
      height: Math.max(0.5, device.units) * face.unit,
    }))
      held.ghost.setAttribute(name, value)
    if (held.ghost.parentNode !== face.svg) face.svg.append(held.ghost)
  }

  function over(event) {
    const target = document.elementFromPoint(event.clientX, event.clientY)
    const svg = near(target, '[data-racks] svg[data-rack]')
    const list = near(target, '[data-loose]')
    if (svg) {
      const face = faceOf(svg)
      const position = positionAt(face, event)
      const reason = why(held.device, face, position)
      held.drop = { face, position, reason }
      ghost(face, position, !reason)
      held.tip.textContent = reason || `U${position}, ${face.face}`
    } else {
      held.ghost?.remove()
      const rack = list ? (list.dataset.loose ? Number(list.dataset.loose) : null) : undefined
      held.drop = list ? { face: { rack }, position: null, reason: '' } : undefined
      held.tip.textContent = list ? 'At no unit' : held.device.name
    }
    held.tip.classList.toggle('bad', Boolean(held.drop?.reason))
    held.tip.style.left = `${Math.min(event.clientX + 14, innerWidth - 220)}px`
    held.tip.style.top = `${event.clientY + 14}px`
  }

  function drop() {
    held?.ghost?.remove()
    held?.tip?.remove()
    held?.device.element.classList.remove('dragged')
    held = undefined
  }

  document.addEventListener('pointerdown', (event) => {
    const element = near(event.target, '[data-racks] [data-device]')
    if (!element || !isOn() || event.button !== 0) return
    const device = deviceOf(element)
    const svg = near(element, 'svg[data-rack]')
    const rect = element.querySelector('rect')
    const grip = svg ? (point(svg, event).y - Number(rect.getAttribute('y'))) / faceOf(svg).unit : device.units / 2
    held = { device, grip, x: event.clientX, y: event.clientY, dragging: false }
  })
  document.addEventListener('pointermove', (event) => {
    if (!held) return
    if (!held.dragging) {
      if (Math.hypot(event.clientX - held.x, event.clientY - held.y) < 5) return
      held.dragging = true
      held.device.element.classList.add('dragged')
      held.tip = document.createElement('div')
      held.tip.className = 'rack-tip'
      document.body.append(held.tip)
    }
    event.preventDefault()
    const edge = event.clientY < 90 ? -18 : event.clientY > innerHeight - 40 ? 18 : 0
    if (edge) scrollBy(0, edge)
    over(event)
  })
  let wasDragged = false
  document.addEventListener('pointerup', () => {
    if (!held) return
    const { dragging, device, drop: to } = held
    drop()
    if (!dragging) return
    wasDragged = true
    setTimeout(() => {
      wasDragged = false
    }, 0)
    if (!to) return
    const isSame = to.face.rack === device.rack && to.position === device.position
    if (isSame && (to.position === null || to.face.face === device.face)) return
    if (to.reason) return say(`${device.name} stays where it is: ${to.reason}`)
    place(device, to.face, to.position)
  })
  document.addEventListener('pointercancel', drop)
  document.addEventListener('dragstart', (event) => {
    if (isOn() && near(event.target, '[data-racks] [data-device]')) event.preventDefault()
  })
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') drop()
  })

  /* The form: units of the chosen rack and face, each with what keeps the device from it. */
  const facesOf = (root, rack, face) =>
    [...root.querySelectorAll('svg[data-rack]')].map(faceOf).find((each) => each.rack === rack && each.face === face)

  /** Fills a list of units with those of a face; those where the device does not fit say why. */
  function fill(select, device, face) {
    const chosen = select.value
    select.replaceChildren()
    select.add(new Option('none', ''))
    if (!face) return
    const hasHalves = device.units % 1 !== 0 || face.taken.some(([at, units]) => at % 1 || units % 1)
    const step = hasHalves ? 0.5 : 1
    for (let unit = face.start + face.height - step; unit >= face.start; unit -= step) {
      const reason = why(device, face, unit)
      const option = new Option(reason ? `U${unit} – ${reason}` : `U${unit}`, String(unit))
      option.disabled = Boolean(reason)
      select.add(option)
    }
    select.value = [...select.options].some((o) => o.value === chosen && !o.disabled) ? chosen : ''
  }

  const chosenIn = (form) => tool().querySelector(`[data-device="${form.device.value}"]`)

  /** Where a list of racks shows one face alone, the other has the same units and the same devices in it. */
  function faceChosen(form) {
    const [rack, side] = [Number(form.rack.value), form.face.value]
    const shown = facesOf(tool(), rack, side) ?? facesOf(tool(), rack, side === 'front' ? 'rear' : 'front')
    return shown && { ...shown, face: side }
  }

  function follow(form) {
    const element = chosenIn(form)
    if (element) fill(form.position, deviceOf(element), faceChosen(form))
  }

  function pick(element) {
    const form = tool().querySelector('[data-place]')
    if (!form) return
    const device = deviceOf(element)
    form.device.value = String(device.id)
    const rack = near(element, 'svg[data-rack]')?.dataset.rack
    if (rack) form.rack.value = rack
    if (device.face) form.face.value = device.face
    follow(form)
    form.position.focus()
    say(`${device.name} is chosen: choose its unit.`)
  }

  document.addEventListener('change', ({ target }) => {
    const form = near(target, '[data-place]')
    if (form && target.name !== 'position') {
      const element = chosenIn(form)
      if (
        target.name === 'device' &&
        element?.dataset.in &&
        [...form.rack.options].some((o) => o.value === element.dataset.in)
      )
        form.rack.value = element.dataset.in
      follow(form)
    }
    if (near(target, '[data-reserve]')) markReserved()
  })
  document.addEventListener(
    'submit',
    (event) => {
      const form = near(event.target, '[data-racks] [data-place]')
      const element = form && chosenIn(form)
      if (!element) return
      event.preventDefault()
      event.stopPropagation()
      const face = faceChosen(form)
      const position = form.position.value === '' ? null : Number(form.position.value)
      place(deviceOf(element), face, position)
    },
    true,
  )

  /* Free units: a click adds a device there, or marks the unit while units are reserved. */
  function unitAt(link, event) {
    const face = faceOf(near(link, 'svg'))
    const row = (point(face.svg, event).y - face.y) / face.unit
    const at = face.descending ? face.start + row : face.start + face.height - row
    const [from, to] = [Number(link.dataset.from), Number(link.dataset.to)]
    return Math.max(from, Math.min(Math.floor(at), to - 0.5))
  }

  function markReserved() {
    const chosen = [...document.querySelectorAll('[data-reserve][open] input[name=units]:checked')].map((box) =>
      Number(box.value),
    )
    for (const svg of tool().querySelectorAll('svg[data-rack]')) {
      for (const mark of svg.querySelectorAll('.chosen')) mark.remove()
      const face = faceOf(svg)
      for (const unit of chosen) {
        const mark = document.createElementNS('http://www.w3.org/2000/svg', 'rect')
        const above = face.descending ? unit - face.start : face.start + face.height - unit - 1
        const places = {
          class: 'chosen',
          x: face.x,
          y: face.y + above * face.unit,
          width: face.width,
          height: face.unit,
        }
        for (const [name, value] of Object.entries(places)) mark.setAttribute(name, value)
        svg.append(mark)
      }
    }
  }

  document.addEventListener(
    'click',
    (event) => {
      const own = near(event.target, '[data-racks]')
      if (!own) return
      if (near(event.target, '[data-rearrange]')) return turn(!isOn())
      const element = near(event.target, '[data-device]')
      if (element && isOn()) {
        event.preventDefault()
        event.stopPropagation()
        if (!wasDragged) pick(element)
        return
      }
      const free = near(event.target, '.free')
      if (!free || event.detail === 0) return // by the keyboard: the lowest unit of the stretch
      event.preventDefault()
      const unit = unitAt(free, event)
      const reserve = own.querySelector('[data-reserve][open]')
      if (reserve) {
        const box = reserve.querySelector(`input[name=units][value="${Math.floor(unit)}"]`)
        if (box) box.checked = !box.checked
        return markReserved()
      }
      const address = new URL(free.getAttribute('href'), location.href)
      address.searchParams.set('position', String(unit))
      location.assign(address)
    },
    true,
  )

  /* Choosing a unit for the form of a device. */
  async function chooseUnit(button) {
    const fields = button.closest('form').elements
    const rack = fields.rack?.value
    const dialog = document.createElement('dialog')
    dialog.className = 'unit-dialog'
    dialog.setAttribute('aria-label', 'Choose a unit')
    dialog.innerHTML =
      '<p role="status"></p><div class="faces"></div><form method="dialog"><label>Face <select name="side"><option>front</option><option>rear</option></select></label> <label>Unit <select name="unit"></select></label> <button value="use" class="primary">Use it</button> <button value="">Cancel</button></form>'
    const [line, drawings, form] = dialog.children
    document.body.append(dialog)
    dialog.addEventListener('close', () => {
      if (dialog.returnValue === 'use' && form.unit.value) {
        fields.position.value = form.unit.value
        fields.face.value = form.side.value
        for (const each of [fields.position, fields.face]) each.dispatchEvent(new Event('change', { bubbles: true }))
      }
      dialog.remove()
      fields.position.focus()
    })
    dialog.showModal()
    if (!rack) {
      line.textContent = 'Choose a rack first.'
      return
    }
    const type = fields.device_type?.value
    const [page, about] = await Promise.all([
      fetch(`${base}/dcim/racks/${rack}/`, { headers: { accept: 'text/html' } }),
      type ? fetch(`${base}/api/dcim/device-types/${type}/?fields=u_height,is_full_depth`) : undefined,
    ])
    const shown = new DOMParser().parseFromString(await page.text(), 'text/html').querySelector('[data-racks]')
    if (!shown) {
      line.textContent = 'You may not see this rack.'
      return
    }
    const { u_height: units = 1, is_full_depth: deep = false } = about?.ok ? await about.json() : {}
    const device = { id: Number(button.dataset.self), units, deep, name: 'The device' }
    for (const each of shown.querySelectorAll('.face, svg.unseen')) drawings.append(document.adoptNode(each))
    for (const link of drawings.querySelectorAll('a'))
      for (const name of ['href', 'aria-label']) link.removeAttribute(name)
    line.textContent = type
      ? `The device takes ${units}U${deep ? ' and the full depth' : ''}.`
      : 'No device type is chosen: 1U is taken.'
    if (['front', 'rear'].includes(fields.face.value)) form.side.value = fields.face.value
    const choose = () => fill(form.unit, device, facesOf(drawings, Number(rack), form.side.value))
    choose()
    form.unit.value = fields.position.value ? String(Number(fields.position.value)) : ''
    form.side.addEventListener('change', choose)
    drawings.addEventListener('click', (event) => {
      const svg = near(event.target, 'svg[data-rack]')
      if (!svg) return
      const face = faceOf(svg)
      const row = (point(svg, event).y - face.y) / face.unit
      const unit = Math.floor(face.descending ? face.start + row : face.start + face.height - row)
      const reason = why(device, face, unit)
      if (reason) {
        line.textContent = reason
        return
      }
      form.side.value = face.face
      choose()
      form.unit.value = String(unit)
      dialog.close('use')
    })
  }
  document.addEventListener('click', ({ target }) => {
    const button = near(target, '[data-choose-unit]')
    if (button) chooseUnit(button)
  })

  function ready() {
    for (const button of document.querySelectorAll('[data-rearrange], [data-choose-unit]')) button.hidden = false
  }
  ready()
  document.addEventListener('htmx:load', ready)
})()
