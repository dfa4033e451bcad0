import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { create, type Font, type Glyph } from 'fontkit';
import subsetFont from 'subset-font';
import { LruMap } from '../lib/lru-map.ts';
import { projectRoot } from '../settings/settings.ts';

export type Weight = 'regular' | 'bold';

/** A font of one weight; `name` identifies it in a document. */
export type Face = { name: string; font: Font };

/** The unit of typesetting: a letter with its accents, a syllable, an emoji. */
type Sign = { text: string; face: Face };

/** Replaces a sign that no font has. */
const UNDRAWN = '□';

const PACKAGES = join(projectRoot(), 'node_modules');
const ONEST = join(PACKAGES, '@expo-google-fonts', 'onest');
const WEIGHTS = {
  regular: { onest: join(ONEST, '400Regular', 'Onest_400Regular.ttf'), wght: 400 },
  bold: { onest: join(ONEST, '600SemiBold', 'Onest_600SemiBold.ttf'), wght: 600 },
};

/** Families for signs that Onest lacks, by the part in use. The first able one sets a sign. */
const FAMILIES = {
  'noto-sans': 'greek',
  'noto-sans-georgian': 'georgian',
  'noto-sans-armenian': 'armenian',
  'noto-sans-hebrew': 'hebrew',
  vazirmatn: 'arabic',
  'noto-sans-devanagari': 'devanagari',
  'noto-sans-thai': 'thai',
  'noto-sans-sc': 'numbered',
  'noto-sans-kr': 'numbered',
  'noto-emoji': 'numbered',
};

/** A font file and its code points. */
type Slice = { path: string; ranges: (readonly [first: number, last: number])[] };

async function slicesOf([family, part]: [string, string]): Promise<Slice[]> {
  const folder = join(PACKAGES, '@fontsource-variable', family);
  const index: Record<string, string> = JSON.parse(
    await readFile(join(folder, 'unicode.json'), 'utf8'),
  );
  return Object.entries(index)
    .filter(([subset]) => (part === 'numbered' ? subset.startsWith('[') : subset === part))
    .map(([subset, ranges]) => ({
      path: join(folder, 'files', `${family}-${subset.replace(/[[\]]/g, '')}-wght-normal.woff2`),
      ranges: ranges.split(',').map((range) => {
        const [first = '', last = first] = range.replace('U+', '').split('-');
        return [Number.parseInt(first, 16), Number.parseInt(last, 16)] as const;
      }),
    }));
}

let slices: Slice[] | undefined;

async function allSlices(): Promise<Slice[]> {
  slices ??= (await Promise.all(Object.entries(FAMILIES).map(slicesOf))).flat();
  return slices;
}

/** Font files made so far. Making one takes tens of milliseconds. */
const made = new LruMap<string, Buffer>(64);

/** A slice as a PDF can embed it: neither WOFF2 nor a variable font can be embedded. */
async function fontFile({ path, ranges }: Slice, weight: Weight): Promise<Buffer> {
  const key = `${path} ${weight}`;
  const known = made.get(key);
  if (known) return known;
  const codePoints = ranges.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, place) => first + place),
  );
  const file = await subsetFont(await readFile(path), String.fromCodePoint(...codePoints), {
    targetFormat: 'truetype',
    variationAxes: { wght: WEIGHTS[weight].wght },
  });
  made.set(key, file);
  return file;
}

/** Onest's digits of equal width, by glyph id. Finding them takes as long as a short receipt. */
const digitIds = new Map<Weight, number[]>();

function digitIdsOf(weight: Weight, font: Font): number[] {
  const known = digitIds.get(weight);
  if (known) return known;
  const found = font.layout('0123456789', { tnum: true }).glyphs.map(({ id }) => id);
  digitIds.set(weight, found);
  return found;
}

/**
 * Onest, set one letter after the other, with digits of equal width. Its own layout takes ten times
 * as long; only accents need it.
 */
async function loadOnest(weight: Weight): Promise<Font> {
  const file = await readFile(WEIGHTS[weight].onest);
  const digits = digitIdsOf(weight, create(file) as Font);
  const font = create(file) as Font;
  const layout = font.layout.bind(font);
  const glyphOf = (letter: string): Glyph => {
    const codePoint = codePointOf(letter);
    const digit = digits[codePoint - codePointOf('0')];
    return digit ? font.getGlyph(digit, [codePoint]) : font.glyphForCodePoint(codePoint);
  };
  return Object.assign(font, {
    layout: (text: string) => {
      if (/\p{M}/u.test(text)) return layout(text);
      const glyphs = Array.from(text, glyphOf);
      const positions = glyphs.map(({ advanceWidth: xAdvance }) => {
        return { xAdvance, yAdvance: 0, xOffset: 0, yOffset: 0 };
      });
      return {
        glyphs,
        positions,
        // This follows fontkit: PDFKit scales the positions and then asks.
        get advanceWidth() {
          return positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0);
        },
      };
    },
  });
}

export const clusters = new Intl.Segmenter('en', { granularity: 'grapheme' });

const codePointOf = (character: string) => character.codePointAt(0) ?? 0;
const isInvisible = (character: string) => /\p{Default_Ignorable_Code_Point}/u.test(character);
const has = (face: Face, character: string) =>
  face.font.hasGlyphForCodePoint(codePointOf(character));
const isMadeFor = ({ ranges }: Slice, character: string) =>
  ranges.some(([first, last]) => first <= codePointOf(character) && codePointOf(character) <= last);

/** The fonts of one weight that a document needs. */
export class Faces {
  readonly onest: Face;
  /** Whether a text had a sign that no font has. */
  hasUndrawn = false;
  private readonly weight: Weight;
  private readonly others = new Map<string, Face>();
  private readonly signs = new Map<string, Sign[]>();
  private readonly letters = new Map<string, boolean>();

  private constructor(weight: Weight, onest: Face) {
    this.weight = weight;
    this.onest = onest;
  }

  static async of(weight: Weight): Promise<Faces> {
    return new Faces(weight, { name: `onest ${weight}`, font: await loadOnest(weight) });
  }

  /** Loads the fonts of a text. `signsOf` knows no other texts. */
  async load(text: string): Promise<void> {
    if (this.isPlain(text)) return;
    for (const { segment } of clusters.segment(text)) {
      if (!this.signs.has(segment)) this.signs.set(segment, await this.drawn(segment));
    }
  }

  /** Whether each character is a letter of Onest. Most texts are plain and need no further work. */
  isPlain(text: string): boolean {
    for (const character of text) {
      let isLetter = this.letters.get(character);
      if (isLetter === undefined) {
        isLetter = has(this.onest, character) && !/\p{M}/u.test(character);
        this.letters.set(character, isLetter);
      }
      if (!isLetter) return false;
    }
    return true;
  }

  /** The visible signs of a text, each with its index. */
  signsOf(text: string): (Sign & { at: number })[] {
    return Array.from(clusters.segment(text)).flatMap(({ segment, index: at }) =>
      (this.signs.get(segment) ?? []).map((sign) => ({ ...sign, at })),
    );
  }

  private async drawn(cluster: string): Promise<Sign[]> {
    const visible = [...cluster].filter((character) => !isInvisible(character));
    if (visible.length === 0) return [];
    const face = await this.faceOf(visible);
    if (face) {
      // Joiners are invisible, and the fonts of some scripts depend on them.
      const text = [...cluster].filter((each) => !isInvisible(each) || has(face, each)).join('');
      return [{ text, face }];
    }
    // An emoji can consist of several, each of which some font has.
    const parts: Sign[] = [];
    for (const text of visible) {
      const own = await this.faceOf([text]);
      if (!own) this.hasUndrawn = true;
      const face = own ?? (await this.faceOf([UNDRAWN])) ?? this.onest;
      parts.push({ text: own ? text : UNDRAWN, face });
    }
    return parts;
  }

  private async faceOf(characters: string[]): Promise<Face | null> {
    if (characters.every((each) => has(this.onest, each))) return this.onest;
    for (const slice of await allSlices()) {
      if (!characters.every((each) => isMadeFor(slice, each))) continue;
      const face = await this.otherFace(slice);
      if (characters.every((each) => has(face, each))) return face;
    }
    return null;
  }

  private async otherFace(slice: Slice): Promise<Face> {
    const name = `${slice.path} ${this.weight}`;
    const known = this.others.get(name);
    if (known) return known;
    const face = { name, font: create(await fontFile(slice, this.weight)) as Font };
    this.others.set(name, face);
    return face;
  }
}
