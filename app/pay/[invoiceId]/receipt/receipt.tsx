import { qrCode } from '#server/lib/qr-code.ts';
import type { ReceiptContent, ReceiptRow } from '#server/receipts/receipt-content.ts';
import { breakable, LargeAmount } from '../frame/large-amount.tsx';

/** An id of ours stays on one line on a phone. */
const LONG_ID = /^\S{30,}$/;
const ON_ONE_LINE = 'max-sm:text-[0.8125rem] max-sm:tracking-tight';

/** A longer amount does not fit beside a word on a phone. */
const LONG_AMOUNT_CHARACTERS = 18;

/**
 * An amount in a column of amounts; a long one breaks instead of widening the page. It is smaller
 * on a phone, where long titles leave room for its number.
 */
function Amount({ value, className }: { value: string; className: string }) {
  const isLong = value.length > LONG_AMOUNT_CHARACTERS;
  return (
    <td
      className={`text-right tabular-nums ${isLong ? 'wrap-anywhere max-sm:w-2/3 max-sm:text-xs' : 'whitespace-nowrap'} ${className}`}
    >
      {isLong ? breakable(value) : value}
    </td>
  );
}

/** The fiscal receipt's code and link. */
function Fiscal({ title, text, codeAlt, url }: NonNullable<ReceiptContent['fiscal']>) {
  const { path, side } = qrCode(url);
  return (
    <section className="flex flex-wrap items-center gap-5 border-line border-t p-6 sm:px-10 print:px-0">
      <svg
        role="img"
        aria-label={codeAlt}
        viewBox={`0 0 ${side} ${side}`}
        shapeRendering="crispEdges"
        className="size-28 shrink-0 rounded-lg border border-line bg-white print:[print-color-adjust:exact]"
      >
        <path d={path} />
      </svg>
      <div className="min-w-0 flex-[1_1_14rem] text-[0.9375rem]">
        <h2 className="font-semibold">{title}</h2>
        <p className="text-muted text-sm">{text}</p>
        <a
          className="link wrap-anywhere text-sm"
          href={url}
          target="_blank"
          rel="noopener noreferrer"
        >
          {url}
        </a>
      </div>
    </section>
  );
}

/** The receipt on the screen and on paper. */
export function Receipt({ content }: { content: ReceiptContent }) {
  const numbered = (rows: ReceiptRow[]) => rows.map((row, place) => ({ place, ...row }));
  const items = numbered(content.items);
  const total = content.totals.at(-1);
  return (
    <article className="card overflow-hidden print:border-0 print:shadow-none">
      <div aria-hidden="true" className="frieze" />
      <div className="space-y-1 p-6 sm:p-10 sm:pb-8 print:px-0 print:pt-6 print:pb-6">
        <h1 className="font-medium text-muted">
          {content.title}&nbsp;· <bdi>{content.merchant}</bdi>
        </h1>
        <LargeAmount amount={content.amount} />
        {content.testNote && (
          <p className="inline-block rounded-md bg-caution-soft px-2 py-0.5 font-medium text-caution text-sm print:bg-transparent print:px-0 print:text-black">
            {content.testNote}
          </p>
        )}
      </div>
      <dl className="divide-y divide-line border-line border-t px-6 text-[0.9375rem] sm:px-10 print:px-0">
        {/* Two refunds have rows of the same names. */}
        {numbered(content.facts).map(({ place, label, value }) => (
          <div key={place} className="gap-6 py-3 sm:grid sm:grid-cols-[11rem_1fr]">
            <dt className="text-muted">{label}</dt>
            <dd
              className={`min-w-0 wrap-anywhere font-medium ${LONG_ID.test(value) ? ON_ONE_LINE : ''}`}
            >
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      <div className="border-line border-t bg-sunk px-6 py-6 sm:px-10 print:bg-transparent print:px-0">
        {/* A narrower screen is a phone with text of twice its size. */}
        <table className="w-full text-[0.9375rem] max-[16rem]:wrap-anywhere max-[16rem]:[&_td]:whitespace-normal">
          <thead>
            <tr className="text-left text-muted text-sm">
              <th scope="col" className="pb-2 font-medium">
                {content.itemsTitle}
              </th>
              <th scope="col" className="pb-2 text-right font-medium">
                {content.amountTitle}
              </th>
            </tr>
          </thead>
          <tbody className="[&>tr:last-child>td]:pb-3">
            {items.map(({ place, label, value }) => (
              <tr key={place} className="align-baseline">
                <td className="wrap-anywhere py-1 pr-3 sm:pr-6">
                  <bdi>{label}</bdi>
                </td>
                <Amount value={value} className="py-1" />
              </tr>
            ))}
          </tbody>
          <tfoot className="border-line border-t [&>tr:first-child>*]:pt-3">
            {content.totals.map(({ label, value }) => (
              <tr
                key={label}
                className={label === total?.label ? 'font-semibold' : 'font-normal text-muted'}
              >
                <th scope="row" className="pt-2 pr-3 text-left sm:pr-6 [font-weight:inherit]">
                  {label}
                </th>
                <Amount value={value} className="pt-2" />
              </tr>
            ))}
          </tfoot>
        </table>
      </div>
      {content.fiscal && <Fiscal {...content.fiscal} />}
    </article>
  );
}
