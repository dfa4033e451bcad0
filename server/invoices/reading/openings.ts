import type { Queryable } from '../../db/pool.ts';

// Those who fetch a page to show a picture of it, or to know it, say so; browsers say that a person
// navigates. A page that is fetched ahead is not open yet.
const NO_PERSON = /bot\b|crawl|spider|preview|facebookexternalhit|^whatsapp/i;

/** Whether a request for a page shows it to a person, by its headers. */
export function isOpenedByPerson(headers: Pick<Headers, 'get'>): boolean {
  if (headers.get('sec-fetch-dest') !== 'document') return false;
  if (/prefetch|prerender/.test(headers.get('sec-purpose') ?? headers.get('purpose') ?? '')) {
    return false;
  }
  return !NO_PERSON.test(headers.get('user-agent') ?? '');
}

/** Notes the first time that a person opened an invoice's page; later ones change nothing. */
export async function noteOpening(db: Queryable, invoiceId: string, now: Date): Promise<void> {
  await db.query({
    name: 'note_opening',
    text: `INSERT INTO invoice_openings (invoice_id, opened_at) VALUES ($1, $2)
           ON CONFLICT (invoice_id) DO NOTHING`,
    values: [invoiceId, now.toISOString()],
  });
}
