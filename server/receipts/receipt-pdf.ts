import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import PDFDocument from 'pdfkit';
import type { Locale } from '../lib/locales.ts';
import type { ReceiptContent, ReceiptRow } from './receipt-content.ts';
import { Faces } from './receipt-fonts.ts';
import { Sheet, type Style, WIDTH } from './receipt-sheet.ts';

// The colours are those of the page's light theme.
const INK = '#13204d';
const MUTED = '#555a78';
const LINE = '#e3d8c3';
const ACCENT = '#08697a';
const CAUTION = { color: '#6b4200', background: '#fde7ae' };

const BODY: Style = { size: 10.5, weight: 'regular', color: INK };
const STRONG: Style = { ...BODY, weight: 'bold' };
const QUIET: Style = { ...BODY, color: MUTED };
const SMALL: Style = { ...QUIET, size: 9 };

const FACT_COLUMN = 150;
const AMOUNT_COLUMN = 170;

async function setHead(sheet: Sheet, content: ReceiptContent): Promise<void> {
  const { title, merchant, amount, testNote } = content;
  sheet.sign();
  await sheet.row('P', [
    { tag: 'Span', text: merchant, style: { ...STRONG, size: 13 }, width: WIDTH - 60 },
  ]);
  sheet.gap(24);
  await sheet.row('H1', [{ tag: 'Span', text: title, style: { ...QUIET, size: 12 } }]);
  await sheet.row('P', [{ tag: 'Span', text: amount, style: { ...STRONG, size: 30 } }]);
  if (testNote) {
    sheet.gap(4);
    await sheet.row('P', [{ tag: 'Span', text: testNote, style: { ...STRONG, ...CAUTION } }]);
  }
  sheet.gap(22);
}

async function setFacts(sheet: Sheet, facts: ReceiptRow[]): Promise<void> {
  const list = sheet.group('L');
  for (const { label, value } of facts) {
    sheet.rule(LINE);
    sheet.gap(7);
    const cells = [
      { tag: 'Lbl', text: label, style: QUIET, width: FACT_COLUMN - 12 },
      { tag: 'LBody', text: value, style: BODY, left: FACT_COLUMN, width: WIDTH - FACT_COLUMN },
    ];
    await sheet.row('LI', cells, list);
    sheet.gap(7);
  }
}

async function setSums(sheet: Sheet, content: ReceiptContent): Promise<void> {
  const table = sheet.group('Table');
  const row = (tag: 'TH' | 'TD', { label, value }: ReceiptRow, style: Style) => {
    const scope = tag === 'TH' ? ('Column' as const) : undefined;
    const cells = [
      { tag, scope, text: label, style, width: WIDTH - AMOUNT_COLUMN },
      { tag, scope, text: value, style, width: AMOUNT_COLUMN - 12, isAtRight: true },
    ];
    return sheet.row('TR', cells, table);
  };
  sheet.rule(LINE);
  sheet.gap(20);
  await row('TH', { label: content.itemsTitle, value: content.amountTitle }, SMALL);
  for (const item of content.items) {
    sheet.gap(4);
    await row('TD', item, BODY);
    // 500 of them take a quarter of a second: other requests get their turn between.
    await setImmediate();
  }
  sheet.gap(10);
  sheet.rule(LINE);
  sheet.gap(6);
  for (const total of content.totals) {
    sheet.gap(4);
    const isLast = total === content.totals.at(-1);
    await row('TD', total, isLast ? { ...STRONG, size: 12 } : QUIET);
  }
}

async function setLink(sheet: Sheet, text: string, url: string): Promise<void> {
  const style = { ...SMALL, color: ACCENT };
  await sheet.row('P', [{ tag: 'Link', text, link: url, style }]);
}

const FISCAL_CODE_SIDE = 96;

async function setFiscal(sheet: Sheet, { fiscal }: ReceiptContent): Promise<void> {
  if (!fiscal) return;
  sheet.gap(24);
  await sheet.row('P', [{ tag: 'Span', text: fiscal.title, style: STRONG }]);
  await sheet.row('P', [{ tag: 'Span', text: fiscal.text, style: SMALL }]);
  await setLink(sheet, fiscal.url, fiscal.url);
  sheet.gap(8);
  sheet.code(fiscal.url, { side: FISCAL_CODE_SIDE, alt: fiscal.codeAlt });
}

async function setLinks(sheet: Sheet, { links, linksTitle }: ReceiptContent): Promise<void> {
  const contacts = links.filter(({ kind }) => kind === 'contact');
  if (links.length > 0) sheet.gap(24);
  if (contacts.length > 0) {
    await sheet.row('P', [{ tag: 'Span', text: linksTitle, style: { ...SMALL, weight: 'bold' } }]);
  }
  for (const { text, url } of links) await setLink(sheet, text, url);
}

export type ReceiptFileOptions = {
  /** The time of making in the file: of the payment or the last refund, so that it is always the same. */
  madeAt: Date;
  locale: Locale;
  /** The address of the receipt's page. */
  pageUrl: string;
};

/** A receipt as an A4 PDF of one or more pages, tagged for screen readers. */
export async function receiptPdf(
  content: ReceiptContent,
  { madeAt, locale, pageUrl }: ReceiptFileOptions,
): Promise<Buffer> {
  const document = new PDFDocument({
    size: 'A4',
    margin: 0,
    font: '',
    pdfVersion: '1.7',
    tagged: true,
    displayTitle: true,
    lang: locale,
    info: {
      Title: `${content.title} · ${content.merchant}`,
      CreationDate: madeAt,
      ModDate: madeAt,
    },
  });
  const file = buffer(document);
  const faces = { regular: await Faces.of('regular'), bold: await Faces.of('bold') };
  const sheet = new Sheet(document, faces);
  await setHead(sheet, content);
  await setFacts(sheet, content.facts);
  await setSums(sheet, content);
  await setFiscal(sheet, content);
  await setLinks(sheet, content);
  if (faces.regular.hasUndrawn || faces.bold.hasUndrawn) {
    sheet.gap(24);
    await sheet.row('P', [{ tag: 'Span', text: content.undrawnNote, style: SMALL }]);
    await setLink(sheet, pageUrl, pageUrl);
  }
  sheet.end();
  return await file;
}
