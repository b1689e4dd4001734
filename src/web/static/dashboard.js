// Boxes of the home page are moved by their titles and sized by their corners. The buttons do the same.
;(() => {
  const send = (box, what) => {
    const form = box.querySelector('.arrange')
    const button = document.createElement('button')
    button.name = 'do'
    button.value = what
    button.hidden = true
    form.append(button)
    button.click()
  }

  /** How many cells of the grid a length takes. */
  const cells = (length, cell, gap) => Math.max(1, Math.round((length + gap) / (cell + gap)))

  function sized(event) {
    const box = event.target.closest('.widget')
    const style = getComputedStyle(box.parentElement)
    const gap = Number.parseFloat(style.columnGap)
    const column = Number.parseFloat(style.gridTemplateColumns)
    const row = Number.parseFloat(style.gridAutoRows)
    const start = box.getBoundingClientRect()
    event.preventDefault()
    event.target.setPointerCapture(event.pointerId)
    let now = [Number(box.dataset.w), Number(box.dataset.h)]
    const moved = ({ clientX, clientY }) => {
      const next = [
        Math.min(12, cells(clientX - start.left, column, gap)),
        Math.min(20, cells(clientY - start.top, row, gap)),
      ]
      if (next[0] === now[0] && next[1] === now[1]) return
      box.classList.replace(`w${now[0]}`, `w${next[0]}`)
      box.classList.replace(`h${now[1]}`, `h${next[1]}`)
      now = next
    }
    event.target.addEventListener('pointermove', moved)
    event.target.addEventListener('pointerup', () => send(box, `size:${now.join(':')}`), { once: true })
  }

  let dragged
  for (const box of document.querySelectorAll('.arranged .widget:not([draggable])')) {
    box.draggable = true
    const corner = document.createElement('span')
    corner.className = 'corner'
    corner.setAttribute('aria-hidden', 'true')
    corner.addEventListener('pointerdown', sized)
    box.append(corner)
    box.addEventListener('dragstart', (event) => {
      if (event.target !== box) return
      dragged = box
      event.dataTransfer.effectAllowed = 'move'
      event.dataTransfer.setData('text/plain', box.id)
    })
    box.addEventListener('dragover', (event) => {
      if (!dragged || dragged === box) return
      event.preventDefault()
      box.classList.add('target')
    })
    box.addEventListener('dragleave', () => box.classList.remove('target'))
    box.addEventListener('drop', (event) => {
      if (!dragged || dragged === box) return
      event.preventDefault()
      send(dragged, `before:${box.id.slice(2)}`)
    })
    box.addEventListener('dragend', () => {
      dragged = undefined
    })
  }
})()
