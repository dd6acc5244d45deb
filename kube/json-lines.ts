/**
 * The JSON documents of a stream of lines, however the stream is cut into chunks.
 * Lines are cut at the byte, before decoding: a character that is split between chunks is put together first, and no byte of one is a newline.
 * Lets the event loop turn (`breathe`) often enough that a long stream blocks nothing else.
 * @throws {SyntaxError} for a line that is no JSON, is too long, or is not ended.
 */
export async function* jsonLines(
  chunks: AsyncIterable<Uint8Array>,
  breathe: () => Promise<void>,
): AsyncGenerator<unknown, void, undefined> {
  const pending = new PendingLine();
  let bytes = 0;
  for await (const chunk of chunks) {
    for (const line of pending.cut(chunk)) {
      if (!isBlank(line)) yield JSON.parse(line);
      bytes += line.length;
      if (bytes < BYTES_A_TURN) continue;
      bytes = 0;
      await breathe();
    }
  }
  if (pending.length > 0) throw new SyntaxError('Cannot read the last line: it has no end');
}

/** One or two milliseconds of parsing, and as much again for who takes the documents. More makes other cells wait. */
const BYTES_A_TURN = 64 * 1024;
/** etcd takes at most 1.5 MiB an object; nothing that is longer than this is an event. */
const LONGEST_LINE = 32 * 1024 * 1024;
const NEWLINE = 0x0a;

/** The beginning of a line whose end has not come yet. Its pieces are joined once, however many there are. */
class PendingLine {
  #pieces: Uint8Array[] = [];
  length = 0;

  *cut(chunk: Uint8Array): Generator<string, void, undefined> {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.#keep(chunk.subarray(start, end));
      start = end + 1;
      yield this.#take();
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
  }

  #keep(piece: Uint8Array): void {
    this.#pieces.push(piece);
    this.length += piece.length;
    if (this.length > LONGEST_LINE) throw new SyntaxError('Cannot read a line: it is too long');
  }

  #take(): string {
    const [only] = this.#pieces;
    const bytes =
      this.#pieces.length === 1 && only !== undefined
        ? Buffer.from(only.buffer, only.byteOffset, only.byteLength)
        : Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.length = 0;
    return bytes.toString('utf8');
  }
}

function isBlank(line: string): boolean {
  return line === '' || line === '\r';
}
