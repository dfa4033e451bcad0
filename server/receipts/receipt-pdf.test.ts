import { readFileSync } from 'node:fs';
import { inflateSync } from 'node:zlib';
import { create, type Font } from 'fontkit';
import { describe, expect, test } from 'vitest';
import { readPdf } from '#server/testing/read-pdf.ts';
import type { ReceiptContent } from './receipt-content.ts';
import { receiptPdf } from './receipt-pdf.ts';

const OPTIONS = {
  madeAt: new Date(0),
  locale: 'ru',
  pageUrl: 'https://pay.example/pay/inv_1/receipt',
} as const;

function content(...titles: string[]): ReceiptContent {
  return {
    title: 'Чек',
    merchant: 'Oʻzbek кофе',
    amount: '1 500,00 RUB',
    testNote: 'Тестовый чек',
    facts: [{ label: 'Номер', value: 'inv_01'.repeat(30) }],
    itemsTitle: 'Позиция',
    amountTitle: 'Сумма',
    items: titles.map((label) => ({ label, value: '10,00 ₽' })),
    totals: [{ label: 'Итого', value: '1 500,00 ₽' }],
    fiscal: null,
    links: [],
    linksTitle: 'Поддержка',
    undrawnNote: 'Есть не всё:',
  };
}

const many = (count: number) => Array.from({ length: count }, (_, place) => `Позиция ${place}`);
const made = (...titles: string[]) => receiptPdf(content(...titles), OPTIONS);

describe('the PDF', () => {
  test('has one page for a few positions and more for many', async () => {
    expect((await readPdf(await made(...many(2)))).pages).toBe(1);
    const long = await readPdf(await made(...many(200)));
    expect(long.pages).toBeGreaterThan(3);
    expect(long.text).toContain('Позиция 199');
  });

  test('tells a screen reader its title, its language and what is what', async () => {
    const { title, language, tags } = await readPdf(await made('Чай'));
    expect({ title, language }).toEqual({ title: 'Чек · Oʻzbek кофе', language: 'ru' });
    expect(tags.filter((tag) => tag !== 'Span').join(' ')).toBe(
      'Document P H1 P P L LI Lbl LBody Table TR TH TH TR TD TD TR TD TD',
    );
  });

  test('has the links to the merchant, and the fiscal receipt with its code', async () => {
    const links = [{ kind: 'contact', text: '@kofe', url: 'https://t.me/kofe' }] as const;
    const fiscal = { title: 'Фискальный чек', text: 'Код:', codeAlt: 'Код чека' };
    const url = 'https://ofd.soliq.uz/check?t=1';
    const all = { ...content('Чай'), links: [...links], fiscal: { ...fiscal, url } };
    const file = await readPdf(await receiptPdf(all, OPTIONS));
    expect(file.links).toEqual([
      { url, text: url },
      { url: 'https://t.me/kofe', text: '@kofe' },
    ]);
    expect(file.text).toContain('Поддержка');
    expect(file.tags).toContain('Figure');
  });

  test('is small: only the letters that it uses are embedded', async () => {
    expect((await made('Кофе', 'ყავა', '咖啡')).length).toBeLessThan(60_000);
  });

  test('is the same file whenever it is made', async () => {
    const first = await made('Чай ☕ ყავა');
    await made('Чай, другой');
    expect((await made('Чай ☕ ყავა')).equals(first)).toBe(true);
  });

  test.each([
    ['Greek', 'Καφές'],
    ['Georgian', 'ყავა ქართული'],
    ['Armenian', 'Հայկական սուրճ'],
    ['Hebrew', 'קפה'],
    ['Arabic', 'قهوة'],
    ['Devanagari', 'ताज़ी'],
    ['Thai', 'กาแฟไทย'],
    ['Chinese', '咖啡豆 漢字'],
    ['Japanese', 'コーヒー豆'],
    ['Korean', '커피 원두'],
    ['an emoji', '☕'],
  ])('shows %s, and has nothing to say then', async (_script, title) => {
    const { text, links } = await readPdf(await made(title));
    expect(text).toContain(title);
    expect(text).not.toMatch(/[?□]|Есть не всё/);
    expect(links).toEqual([]);
  });

  test('says what it cannot show, and where it is shown', async () => {
    const { text, links } = await readPdf(await made('Чай ᚠᚢᚦ'));
    expect(text).toContain('Чай □□□');
    expect(text).toContain(`Есть не всё:\n${OPTIONS.pageUrl}`);
    expect(links).toEqual([{ url: OPTIONS.pageUrl, text: OPTIONS.pageUrl }]);
  });

  test('has the outline of each letter that it shows', async () => {
    const letters = 'ABCXYZabcxyzАБВЭЮЯабвэюя.,-–•ʻ№₽€';
    const outlines = new Set<string>();
    for (const font of embeddedFonts(await made(letters))) {
      for (let id = 0; id < font.numGlyphs; id++) outlines.add(font.getGlyph(id).path.toSVG());
    }
    const folder = 'node_modules/@expo-google-fonts/onest/400Regular';
    const onest = create(readFileSync(`${folder}/Onest_400Regular.ttf`)) as Font;
    const isMissing = (letter: string) =>
      !outlines.has(onest.glyphForCodePoint(letter.codePointAt(0) ?? 0).path.toSVG());
    expect([...letters].filter(isMissing)).toEqual([]);
  });
});

/** The fonts in a PDF: compressed streams that begin like TrueType. */
function embeddedFonts(file: Buffer): Font[] {
  const streams = file.toString('latin1').matchAll(/\nstream\n(x.*?)\nendstream/gs);
  return Array.from(streams, ([, stream = '']) => inflateSync(Buffer.from(stream, 'latin1')))
    .filter((bytes) => bytes.toString('latin1', 0, 4) === 'true')
    .map((bytes) => create(bytes) as Font);
}
