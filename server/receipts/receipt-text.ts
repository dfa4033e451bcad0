import bidiFactory from 'bidi-js';
import { clusters, type Face, type Faces } from './receipt-fonts.ts';

const bidi = bidiFactory();

export type Direction = 'ltr' | 'rtl';

/** A part of a line that one font sets at once, in the font's order. */
export type Run = { text: string; face: Face };

/** A Thai vowel that PDFKit would set above the tone mark that belongs over it. */
const SARA_AM = /([\u0e31\u0e34-\u0e37\u0e47-\u0e4e]+)\u0e33/g;

/** A text for setting: on one line, a letter and its accent as one character if possible. */
export function settable(text: string): string {
  const single = text.normalize('NFC').replace(/[^\S\ufeff]/gu, ' ');
  return single.replace(SARA_AM, '\u0e4d$1\u0e32');
}

/** A text's direction by its first letter with a direction, as `<bdi>` has it on the page. */
export function directionOf(text: string): Direction {
  const [paragraph] = bidi.getEmbeddingLevels(text, 'auto').paragraphs;
  return paragraph?.level === 1 ? 'rtl' : 'ltr';
}

/** Breaks a text into lines no wider than `width`, and too long words anywhere. */
export function wrap(text: string, width: number, widthOf: (text: string) => number): string[] {
  const lines: string[] = [];
  let line = '';
  let filled = 0;
  const put = (piece: string) => {
    if (line !== '' && filled + widthOf(piece.trimEnd()) > width) {
      lines.push(line.trimEnd());
      line = '';
      filled = 0;
    }
    const added = line === '' ? piece.trimStart() : piece;
    line += added;
    filled += widthOf(added);
  };
  for (const word of text.split(/(?<=[\s-])/u)) {
    if (widthOf(word) <= width) put(word);
    else for (const { segment } of clusters.segment(word)) put(segment);
  }
  if (line.trim() !== '' || lines.length === 0) lines.push(line.trimEnd());
  return lines;
}

/** A line's runs from left to right, by the Unicode bidirectional algorithm (UAX 9). */
export function runsOf(line: string, direction: Direction, faces: Faces): Run[] {
  if (direction === 'ltr' && faces.isPlain(line)) {
    return [{ text: line, face: faces.onest }];
  }
  const embedding = bidi.getEmbeddingLevels(line, direction);
  const places = bidi.getReorderedIndices(line, embedding);
  const placeOf = new Map(places.map((at, place) => [at, place]));
  const signs = faces
    .signsOf(line)
    .sort((one, other) => (placeOf.get(one.at) ?? 0) - (placeOf.get(other.at) ?? 0));
  const runs: (Run & { isLeftward: boolean })[] = [];
  for (const { text, face, at } of signs) {
    const isLeftward = (embedding.levels[at] ?? 0) % 2 === 1;
    // The fonts of leftward scripts reverse their text; Onest sets the text between their words.
    const isTurnedHere = isLeftward && face === faces.onest;
    const turned = isTurnedHere ? (bidi.getMirroredCharacter(text) ?? text) : text;
    const last = runs.at(-1);
    if (last?.face !== face || last.isLeftward !== isLeftward) {
      runs.push({ text: turned, face, isLeftward });
    } else {
      last.text = isLeftward && !isTurnedHere ? turned + last.text : last.text + turned;
    }
  }
  return runs;
}
