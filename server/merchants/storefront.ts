import type { Queryable } from '../db/pool.ts';

/** A merchant as a buyer sees it. */
export type Storefront = {
  name: string;
  /** The logo's address, or null: the page shows the name's first letter. */
  logoUrl: string | null;
  /** `#rrggbb`, or null. */
  brandColor: string | null;
  /** IANA name of the zone for dates on receipts. */
  timeZone: string;
  /** The language for a buyer whose browser asks for none of ours. */
  defaultLocale: string;
};

type Row = {
  name: string;
  logo_url: string | null;
  brand_color: string | null;
  time_zone: string;
  default_locale: string;
};

/** How a merchant presents itself on its payment page, or null for an unknown one. */
export async function readStorefront(
  db: Queryable,
  merchantId: string,
): Promise<Storefront | null> {
  const { rows } = await db.query<Row>({
    name: 'storefront',
    text: `SELECT name, logo_url, brand_color, time_zone, default_locale
           FROM merchants WHERE id = $1::text`,
    values: [merchantId],
  });
  const row = rows[0];
  if (!row) return null;
  return {
    name: row.name,
    logoUrl: row.logo_url,
    brandColor: row.brand_color,
    timeZone: row.time_zone,
    defaultLocale: row.default_locale,
  };
}
