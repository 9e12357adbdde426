/** Every control changes what it means to change: its place is in the sources, once. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { plantIn, plants } from '../plants.ts'

describe('a planted change', () => {
  for (const [name, plant] of Object.entries(plants)) {
    it(`has its place in the sources: ${name}`, () => {
      const text = readFileSync(new URL(`../../${plant.file}`, import.meta.url), 'utf8')
      assert.ok(plantIn(text, plant).includes(plant.to))
    })
  }

  it('is refused where its place is missing, or there twice', () => {
    const plant = { file: 'a file', from: 'x', to: 'y' }
    assert.equal(plantIn('x', plant), 'y')
    assert.throws(() => plantIn('', plant), /a file does not hold the planting place once: x/)
    assert.throws(() => plantIn('x x', plant), /a file does not hold the planting place once: x/)
  })
})
