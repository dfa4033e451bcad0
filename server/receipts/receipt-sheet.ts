import { HOUSE_COLOURS, HOUSE_MARK, TILE } from '../lib/house-mark.ts';
import { qrCode } from '../lib/qr-code.ts';
import type { Faces, Weight } from './receipt-fonts.ts';
import { directionOf, type Run, runsOf, settable, wrap } from './receipt-text.ts';

const FRIEZE_HEIGHT = 10;
const MARK_SIDE = 26;
const A4 = { width: 595.28, height: 841.89 };
const MARGIN = 56;
/** The heights of a line and of its part above the baseline, in units of the font size. */
const LINE_HEIGHT = 1.5;
const ASCENT = 1.07;
/** The padding of a text with its own background. */
const PADDING = 8;

/** Width between the margins of a page, in points. */
export const WIDTH = A4.width - 2 * MARGIN;

export type Style = { size: number; weight: Weight; color: string; background?: string };

/** A text in a column; `left` is the free space beside it. */
export type Cell = {
  /** Its element in the document's structure; for a table's head, also its scope. */
  tag: string;
  scope?: 'Column' | 'Row';
  text: string;
  style: Style;
  left?: number;
  width?: number;
  isAtRight?: boolean;
  link?: string;
};

type Line = { runs: Run[]; width: number };

export type Group = ReturnType<PDFKit.PDFDocument['struct']>;

/** A4 pages, filled from top to bottom, whose texts are in the document's structure as well. */
export class Sheet {
  private readonly doc: PDFKit.PDFDocument;
  private readonly faces: Record<Weight, Faces>;
  private readonly root: Group;
  private y = MARGIN;

  constructor(doc: PDFKit.PDFDocument, faces: Record<Weight, Faces>) {
    this.doc = doc;
    this.faces = faces;
    this.root = doc.struct('Document');
    doc.addStructure(this.root);
  }

  gap(height: number): void {
    this.y += height;
  }

  /** An element that holds others, at the present end. */
  group(tag: string): Group {
    const element = this.doc.struct(tag);
    this.root.add(element);
    return element;
  }

  /** The gateway's frieze along the upper edge of the page, and its mark in the corner. */
  sign(): void {
    const scale = FRIEZE_HEIGHT / TILE.height;
    const count = Math.ceil(A4.width / (TILE.width * scale));
    this.decoration(() => {
      const { lapis, tile } = HOUSE_COLOURS;
      this.doc.rect(0, 0, A4.width, FRIEZE_HEIGHT).fill(lapis);
      for (let place = 0; place < count; place += 1) {
        const left = place * TILE.width * scale;
        this.doc.save().translate(left, 0).scale(scale).path(TILE.path).fill(tile).restore();
      }
      const { side, path } = HOUSE_MARK;
      this.doc
        .save()
        .translate(MARGIN + WIDTH - MARK_SIDE, MARGIN - 2)
        .scale(MARK_SIDE / side);
      this.doc.path(path).fill(lapis, 'even-odd').restore();
    });
  }

  /** A line across the page. */
  rule(color: string): void {
    this.decoration(() => {
      const path = this.doc.moveTo(MARGIN, this.y).lineTo(MARGIN + WIDTH, this.y);
      path.lineWidth(0.75).stroke(color);
    });
  }

  /** Cells side by side on one page, as one element of a group. */
  async row(tag: string, cells: Cell[], group = this.root): Promise<void> {
    const set: { cell: Cell; lines: Line[]; height: number }[] = [];
    for (const cell of cells) {
      const lines = await this.linesOf(cell);
      set.push({ cell, lines, height: lines.length * cell.style.size * LINE_HEIGHT });
    }
    const height = Math.max(...set.map((each) => each.height));
    this.room(height);
    for (const { cell, lines } of set) if (cell.style.background) this.shade(cell.style, lines);
    const elements = set.map(({ cell, lines }) => {
      // In some scripts the glyphs do not reveal the text.
      const isPlain = this.faces[cell.style.weight].isPlain(settable(cell.text));
      const options = { actual: isPlain ? undefined : cell.text, scope: cell.scope };
      return this.doc.struct(cell.tag, options, [() => this.draw(lines, cell)]);
    });
    group.add(this.doc.struct(tag, {}, elements));
    this.y += height;
  }

  /** A QR code of a text, with its words for screen readers. */
  code(text: string, { side, alt }: { side: number; alt: string }): void {
    this.room(side);
    const { path, side: units } = qrCode(text);
    const scale = side / units;
    const draw = () => {
      this.doc.save().translate(MARGIN, this.y).scale(scale).path(path).fill('#000000').restore();
    };
    this.root.add(this.doc.struct('Figure', { alt }, [draw]));
    this.y += side;
  }

  end(): void {
    this.root.end();
    this.doc.end();
  }

  /** Begins a page where this height does not fit on the present one. */
  private room(height: number): void {
    if (this.y + height <= A4.height - MARGIN) return;
    this.doc.addPage();
    this.y = MARGIN;
  }

  /** Draws what a screen reader skips. */
  private decoration(draw: () => void): void {
    this.doc.markContent('Artifact', { type: 'Layout' });
    draw();
    this.doc.endMarkedContent();
  }

  private shade({ background, size }: Style, lines: Line[]): void {
    const width = Math.max(...lines.map((line) => line.width)) + 2 * PADDING;
    const height = lines.length * size * LINE_HEIGHT;
    this.decoration(() => this.doc.roundedRect(MARGIN, this.y, width, height, 4).fill(background));
  }

  private font({ face }: Run, { size }: Style): PDFKit.PDFDocument {
    // The types do not know yet that a font may be a parsed one.
    return this.doc.font(face.font as unknown as Buffer, face.name, size);
  }

  private async linesOf({ text, style, width = WIDTH }: Cell): Promise<Line[]> {
    const faces = this.faces[style.weight];
    const whole = settable(text);
    await faces.load(whole);
    const direction = faces.isPlain(whole) ? 'ltr' : directionOf(whole);
    const runWidth = (run: Run) => this.font(run, style).widthOfString(run.text);
    const widthOf = (part: string) =>
      runsOf(part, direction, faces).reduce((sum, run) => sum + runWidth(run), 0);
    return wrap(whole, width, widthOf).map((line) => {
      return { runs: runsOf(line, direction, faces), width: widthOf(line) };
    });
  }

  private draw(lines: Line[], { style, left = 0, isAtRight = false, link }: Cell): void {
    let baseline = this.y + style.size * ASCENT;
    for (const { runs, width } of lines) {
      let x = MARGIN + (isAtRight ? WIDTH - width : left) + (style.background ? PADDING : 0);
      for (const run of runs) {
        const { ascent, unitsPerEm } = run.face.font;
        const top = baseline - (ascent / unitsPerEm) * style.size;
        const options = { lineBreak: false, link };
        this.font(run, style).fillColor(style.color).text(run.text, x, top, options);
        x += this.doc.widthOfString(run.text);
      }
      baseline += style.size * LINE_HEIGHT;
    }
  }
}
