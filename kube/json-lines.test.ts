import assert from 'node:assert/strict';
import fc from 'fast-check';
import { jsonLines } from '#kube/json-lines.ts';
import { collect } from '#kube/testing/collect.ts';

const noBreath = async () => {};

async function* pieces(bytes: Uint8Array, cuts: number[]): AsyncGenerator<Uint8Array> {
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].toSorted((one, other) => one - other);
  let start = 0;
  for (const end of [...places, bytes.length]) {
    yield bytes.subarray(start, end);
    start = end;
  }
}

async function read(chunks: AsyncIterable<Uint8Array>, breathe = noBreath): Promise<unknown[]> {
  return collect(jsonLines(chunks, breathe));
}

describe('lines of JSON', () => {
  it('are the same however the stream is cut, in the middle of a character too', async () => {
    const documents = fc.array(fc.record({ name: fc.string({ unit: 'grapheme' }), more: fc.jsonValue() }));
    await fc.assert(
      fc.asyncProperty(documents, fc.array(fc.nat()), async (values, cuts) => {
        const texts = values.map((value) => `${JSON.stringify(value)}\n`);
        const whole = texts.map((text) => JSON.parse(text) as unknown);
        assert.deepEqual(await read(pieces(Buffer.from(texts.join('')), cuts)), whole);
      }),
    );
  });

  it('may be ended by CRLF and be blank', async () => {
    assert.deepEqual(await read(pieces(Buffer.from('{"a":1}\r\n\n\r\n{"b":2}\n'), [3, 8])), [{ a: 1 }, { b: 2 }]);
  });

  it('are refused when one is no JSON, or the last one has no end', async () => {
    await assert.rejects(read(pieces(Buffer.from('{"a":1}\n<html>\n'), [])), SyntaxError);
    await assert.rejects(read(pieces(Buffer.from('{"a":1}\n{"b":2}'), [])), SyntaxError);
  });

  it('are handed out before a later one turns out to be broken', async () => {
    const lines = jsonLines(pieces(Buffer.from('{"a":1}\nx\n'), []), noBreath);
    assert.deepEqual((await lines.next()).value, { a: 1 });
    await assert.rejects(lines.next(), SyntaxError);
  });

  it('let the event loop turn in the middle of a long stream, but not for a single event', async () => {
    let breaths = 0;
    const breathe = async () => void (breaths += 1);
    const event = Buffer.from(`${JSON.stringify({ text: 'x'.repeat(990) })}\n`);
    await read(pieces(event, []), breathe);
    assert.equal(breaths, 0);
    await read(pieces(Buffer.concat(Array.from({ length: 1_320 }, () => event)), []), breathe);
    assert.equal(breaths, 20);
  });
});
