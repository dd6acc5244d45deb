import type { Document, LineCounter } from 'yaml';
import { isMap, isNode, isScalar } from 'yaml';

/** A place in a text, counted from 1. */
export type Place = { line: number; column: number };

/** A parsed YAML text, with what turns offsets into lines. */
export type YamlText = { document: Document; lines: LineCounter };

/** Where the value at `path` begins; where there is none, where the nearest thing around it begins. */
export function placeOfValue({ document, lines }: YamlText, path: readonly (string | number)[]): Place {
  for (let length = path.length; length >= 0; length -= 1) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return placeAt(lines, node.range[0]);
  }
  return { line: 1, column: 1 };
}

/** Where `key` itself is written, in the map at `path`. */
export function placeOfKey(yaml: YamlText, path: readonly (string | number)[], key: string): Place {
  const map = path.length === 0 ? yaml.document.contents : yaml.document.getIn(path, true);
  const pair = isMap(map) ? map.items.find((one) => isScalar(one.key) && String(one.key.value) === key) : undefined;
  return isNode(pair?.key) && pair.key.range ? placeAt(yaml.lines, pair.key.range[0]) : placeOfValue(yaml, path);
}

/** The place of an offset in the text. */
export function placeAt(lines: LineCounter, offset: number): Place {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(line, 1), column: Math.max(col, 1) };
}
