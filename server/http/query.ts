import { isUtf8 } from 'node:buffer';

/** Bytes that are no ASCII, as a query writes them. */
const BYTES = /(?:%[89a-f][0-9a-f])+/gi;

/** Judged without an exception, of which 64 KiB of such bytes would cost a twentieth of a second. */
function readable(bytes: string): string {
  return isUtf8(Buffer.from(bytes.replaceAll('%', ''), 'hex')) ? bytes : '%00';
}

/**
 * The query of a URL, a `?` before it or not. Bytes that are no UTF-8 become NUL, which no name of
 * an invoice has; `URLSearchParams` would read them as U+FFFD, which an order's id may have. (So
 * does Next, before anybody sees the URL.)
 */
export function readQuery(search: string): URLSearchParams {
  return new URLSearchParams(search.includes('%') ? search.replace(BYTES, readable) : search);
}
