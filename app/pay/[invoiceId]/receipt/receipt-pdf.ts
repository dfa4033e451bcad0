import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fontkit from '@pdf-lib/fontkit';
import { type Color, PDFDocument, type PDFFont, type PDFPage, rgb } from 'pdf-lib';
import type { ReceiptContent, ReceiptRow } from './receipt-content.ts';

const A4 = { width: 595.28, height: 841.89 };
const MARGIN = 56;
const INK = rgb(0.08, 0.09, 0.11);
const MUTED = rgb(0.34, 0.38, 0.44);
const LINE = rgb(0.85, 0.87, 0.9);
const FACT_COLUMN = 150;

const FONTS = join(process.cwd(), 'node_modules', '@expo-google-fonts', 'inter');

type Fontkit = Parameters<PDFDocument['registerFontkit']>[0];

type Weight = 'regular' | 'bold';
type TextStyle = { size: number; weight: Weight; color: Color };

const BODY: TextStyle = { size: 10.5, weight: 'regular', color: INK };
const STRONG: TextStyle = { ...BODY, weight: 'bold' };
const QUIET: TextStyle = { ...BODY, color: MUTED };

/** Breaks a text into lines no wider than `width`; words that are too long anywhere. */
export function wrap(text: string, width: number, widthOf: (text: string) => number): string[] {
  const lines: string[] = [];
  let line = '';
  const put = (piece: string) => {
    if (line !== '' && widthOf(line + piece.trimEnd()) > width) {
      lines.push(line.trimEnd());
      line = piece.trimStart();
    } else {
      line += piece;
    }
  };
  for (const word of text.split(/(?<=[\s-])/u)) {
    if (widthOf(word) <= width) put(word);
    else for (const character of word) put(character);
  }
  if (line.trim() !== '' || lines.length === 0) lines.push(line.trimEnd());
  return lines;
}

/** Draws from top to bottom and takes a new page where one is full. */
class Sheet {
  readonly #document: PDFDocument;
  readonly #fonts: Record<Weight, PDFFont>;
  readonly #known: Set<number>;
  #page: PDFPage;
  #y = A4.height - MARGIN;

  constructor(document: PDFDocument, fonts: Record<Weight, PDFFont>) {
    this.#document = document;
    this.#fonts = fonts;
    this.#known = new Set(fonts.regular.getCharacterSet());
    this.#page = document.addPage([A4.width, A4.height]);
  }

  /** A character that the font has not would be drawn as an empty box or not at all. */
  #drawable(text: string): string {
    let safe = '';
    // A letter and its accent are one character here, as no layout sets the one on the other.
    const seen = text.normalize('NFC').replace(/\p{Default_Ignorable_Code_Point}/gu, '');
    for (const character of seen.replace(/\s/gu, ' ')) {
      safe += this.#known.has(character.codePointAt(0) ?? 0) ? character : '?';
    }
    return safe;
  }

  #lines(text: string, width: number, style: TextStyle): string[] {
    const font = this.#fonts[style.weight];
    return wrap(this.#drawable(text), width, (part) => font.widthOfTextAtSize(part, style.size));
  }

  #room(height: number): void {
    if (this.#y - height >= MARGIN) return;
    this.#page = this.#document.addPage([A4.width, A4.height]);
    this.#y = A4.height - MARGIN;
  }

  #draw(line: string, x: number, style: TextStyle, right = false): void {
    const font = this.#fonts[style.weight];
    const shift = right ? font.widthOfTextAtSize(line, style.size) : 0;
    const { size, color } = style;
    this.#page.drawText(line, { x: x - shift, y: this.#y, size, font, color });
  }

  gap(height: number): void {
    this.#y -= height;
  }

  rule(): void {
    this.#room(20);
    this.#y -= 8;
    const [start, end] = [MARGIN, A4.width - MARGIN].map((x) => ({ x, y: this.#y }));
    if (start && end) this.#page.drawLine({ start, end, thickness: 0.75, color: LINE });
    this.#y -= 12;
  }

  text(text: string, style: TextStyle): void {
    for (const line of this.#lines(text, A4.width - 2 * MARGIN, style)) {
      this.#room(style.size * 1.4);
      this.#y -= style.size;
      this.#draw(line, MARGIN, style);
      this.#y -= style.size * 0.4;
    }
  }

  /** Label in a column of its own, value beside it. */
  fact({ label, value }: ReceiptRow): void {
    const lines = this.#lines(value, A4.width - 2 * MARGIN - FACT_COLUMN, BODY);
    for (const [index, line] of lines.entries()) {
      this.#room(17);
      this.#y -= BODY.size;
      if (index === 0) this.#draw(this.#drawable(label), MARGIN, QUIET);
      this.#draw(line, MARGIN + FACT_COLUMN, BODY);
      this.#y -= 6.5;
    }
  }

  /** Label to the left, amount to the right edge. */
  amount({ label, value }: ReceiptRow, style: TextStyle): void {
    const lines = this.#lines(label, A4.width - 2 * MARGIN - 140, style);
    for (const [index, line] of lines.entries()) {
      this.#room(17);
      this.#y -= style.size;
      this.#draw(line, MARGIN, style);
      if (index === 0) this.#draw(this.#drawable(value), A4.width - MARGIN, style, true);
      this.#y -= 6.5;
    }
  }
}

async function fontFile(name: string): Promise<Buffer> {
  return readFile(join(FONTS, name));
}

type TrueTypeSubset = ReturnType<ReturnType<Fontkit['create']>['createSubset']> & {
  glyf: Uint8Array[];
  offset: number;
  _addGlyph(id: number): number;
};

/**
 * Gives each glyph an even length: where glyphs begin is written in units of two bytes, and after
 * an odd one, as this font has them, fontkit's places would be wrong and letters not drawn.
 */
function evened(subset: TrueTypeSubset): TrueTypeSubset {
  const add = subset._addGlyph.bind(subset);
  return Object.assign(subset, {
    _addGlyph(id: number) {
      const at = add(id);
      const glyph = subset.glyf[at];
      if (glyph && glyph.length % 2 === 1) {
        // Fontkit has a Buffer of its own and takes no other.
        subset.glyf[at] = (glyph.constructor as typeof Buffer).concat([glyph], glyph.length + 1);
        subset.offset += 1;
      }
      return at;
    },
  });
}

/**
 * Fonts that set one character after the other. The whole layout, which pdf-lib asks for at each
 * width, takes a hundred times as long, and what it has to say of places is not drawn.
 */
const plainFontkit: Fontkit = {
  create(bytes) {
    const font = fontkit.create(bytes);
    const createSubset = font.createSubset.bind(font);
    return Object.assign(font, {
      layout: (text: string) => ({ glyphs: font.glyphsForString(text), positions: [] }),
      createSubset: () => evened(createSubset() as TrueTypeSubset),
    });
  },
};

/** A receipt as an A4 PDF of one or more pages. */
export async function receiptPdf(content: ReceiptContent, paidAt: Date): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  document.registerFontkit(plainFontkit);
  const [regular, bold] = await Promise.all([
    fontFile('400Regular/Inter_400Regular.ttf'),
    fontFile('600SemiBold/Inter_600SemiBold.ttf'),
  ]);
  const sheet = new Sheet(document, {
    regular: await document.embedFont(regular, { subset: true }),
    bold: await document.embedFont(bold, { subset: true }),
  });
  document.setTitle(`${content.title} · ${content.merchant}`);
  // The receipt of one payment is the same file whenever it is fetched.
  document.setCreationDate(paidAt);
  document.setModificationDate(paidAt);

  sheet.text(content.merchant, { ...STRONG, size: 13 });
  sheet.gap(22);
  sheet.text(content.title, { ...QUIET, size: 12 });
  sheet.gap(4);
  sheet.text(content.amount, { ...STRONG, size: 28 });
  if (content.testNote) {
    sheet.gap(6);
    sheet.text(content.testNote, STRONG);
  }
  sheet.gap(14);
  sheet.rule();
  for (const fact of content.facts) sheet.fact(fact);
  sheet.rule();
  sheet.amount({ label: content.itemsTitle, value: content.amountTitle }, QUIET);
  for (const item of content.items) sheet.amount(item, BODY);
  sheet.rule();
  for (const total of content.totals.slice(0, -1)) sheet.amount(total, QUIET);
  for (const total of content.totals.slice(-1)) sheet.amount(total, { ...STRONG, size: 12 });
  return document.save();
}
