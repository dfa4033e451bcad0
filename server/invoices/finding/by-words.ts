import type { Queryable } from '../../db/pool.ts';
import type { Tenant } from '../../merchants/types.ts';
import { type Add, placeholders } from '../lists/list-order.ts';
import { commonPlaces, gramsOf, searchedText } from './grams.ts';
import { ID_BYTES } from './index-invoices.ts';
import { isIdPart } from './read-words.ts';

/** Blocks are read in steps that grow: a common word fills a page with the first. */
const STEPS = [4, 32, 256];
const MOST_BLOCKS = 3_000;
/** More kinds of three characters would cost more than they leave out. */
const MOST_GRAMS = 6;
const MOST_RARE_GRAMS = 3;
const CHECKED_AT_ONCE = 500;
const TAIL_AT_ONCE = 1_000;
/** Invoices of a search that are looked at one by one: above all those in no block yet. */
const MOST_LOOKED_AT = 5_000;

/** What is looked for: of a tenant, newest first. */
export type WordSearch = {
  tenant: Tenant;
  /** Folded: each is a part of the description, of the order number or of the id. */
  words: readonly string[];
  /** The least id that is searched, and the one before which the search ends. */
  fromId: string;
  beforeId: string;
  /** Conditions on the invoice `i`. */
  rest: (add: Add) => string[];
};

/** `boundId`: where the search gave up; null if nothing older is left, or enough was found. */
export type WordMatches = { ids: string[]; boundId: string | null };

type Row = { id: string; description: string | null; merchantTransactionId: string | null };
type Limits = { wanted: number; lookedAt: number };

const TEXTS = 'i.description, i.merchant_transaction_id AS "merchantTransactionId"';

function isMatch({ id, description, merchantTransactionId }: Row, words: readonly string[]) {
  // A candidate that the conditions leave out has no texts.
  if (description === null || merchantTransactionId === null) return false;
  const { texts } = searchedText({ id, description, merchantTransactionId });
  return words.every((word) => texts.includes(word) || (isIdPart(word) && id.includes(word)));
}

/** Collects matches until there are enough of them, or enough invoices were looked at. */
class Finding {
  readonly ids: string[] = [];
  boundId: string | null = null;
  readonly #words: readonly string[];
  readonly #limits: Limits;
  #looked = 0;

  constructor(words: readonly string[], limits: Limits) {
    this.#words = words;
    this.#limits = limits;
  }

  get isOver(): boolean {
    return this.boundId !== null || this.ids.length >= this.#limits.wanted;
  }

  take(rows: readonly Row[]): void {
    for (const row of rows) {
      if (this.isOver) return;
      if (isMatch(row, this.#words)) this.ids.push(row.id);
      this.#looked += 1;
      if (this.#looked >= this.#limits.lookedAt) this.boundId = row.id;
    }
  }
}

/** Looks at the tenant's invoices after `indexedToId` one by one, the newest first. */
async function searchTail(
  db: Queryable,
  { tenant, fromId, beforeId, rest }: WordSearch,
  indexedToId: string,
  finding: Finding,
): Promise<void> {
  let untilId = beforeId;
  while (!finding.isOver) {
    const { values, add } = placeholders();
    const own = `i.merchant_id = ${add(tenant.merchantId)}::text
      AND i.environment = ${add(tenant.environment)}::environment AND i.id >= ${add(fromId)}::text
      AND i.id > ${add(indexedToId)}::text AND i.id < ${add(untilId)}::text`;
    const conditions = ['true', ...rest(add)].join(' AND ');
    const { rows } = await db.query<Row>(
      `SELECT s.id, CASE WHEN ${conditions} THEN i.description END AS description,
         i.merchant_transaction_id AS "merchantTransactionId"
       FROM (SELECT * FROM invoices i WHERE ${own} ORDER BY i.id DESC LIMIT ${TAIL_AT_ONCE}) s
       CROSS JOIN LATERAL (SELECT s.*) i
       ORDER BY s.id DESC`,
      values,
    );
    finding.take(rows);
    const last = rows.at(-1);
    if (!last || rows.length < TAIL_AT_ONCE) return;
    untilId = last.id;
  }
}

type Candidate = { blockId: string; place: number };
type GramRow = { block_id: string; gram: number; places: Buffer };

/** The places of each kind in each block, looked up by key. */
async function readGrams(
  db: Queryable,
  blockIds: readonly string[],
  grams: readonly number[],
): Promise<GramRow[]> {
  const { rows } = await db.query<GramRow>({
    name: 'search_grams',
    text: `SELECT b.id AS block_id, q.gram, g.places
           FROM unnest($1::bigint[]) AS b (id) CROSS JOIN unnest($2::smallint[]) AS q (gram)
           CROSS JOIN LATERAL (SELECT places FROM invoice_search_grams
                               WHERE block_id = b.id AND gram = q.gram LIMIT 1) g`,
    values: [blockIds, grams],
  });
  return rows;
}

/** The places of the blocks, newest first, with all of these kinds of characters. */
function candidatesOf(
  blockIds: readonly string[],
  rows: readonly GramRow[],
  kinds: number,
): Candidate[] {
  const byBlock = new Map<string, Buffer[]>();
  for (const { block_id: blockId, places } of rows) {
    byBlock.set(blockId, [...(byBlock.get(blockId) ?? []), places]);
  }
  return blockIds.flatMap((blockId) => {
    const packed = byBlock.get(blockId) ?? [];
    if (packed.length < kinds) return [];
    return commonPlaces(packed).map((place) => ({ blockId, place }));
  });
}

async function check(
  db: Queryable,
  candidates: readonly Candidate[],
  { fromId, beforeId, tenant, rest }: WordSearch,
): Promise<Row[]> {
  const { values, add } = placeholders();
  const blocks = add(candidates.map(({ blockId }) => blockId));
  const places = add(candidates.map(({ place }) => place));
  const conditions = [
    `i.merchant_id = ${add(tenant.merchantId)}::text`,
    `i.environment = ${add(tenant.environment)}::environment`,
    ...rest(add),
  ];
  // Each id is read once, before anything is compared with it. The encoding's name would bring its
  // own collation with it, in which no index of ids is.
  const { rows } = await db.query<Row>(
    `WITH s AS MATERIALIZED (
       SELECT rtrim(convert_from(
         substring(b.ids FROM c.place * ${ID_BYTES} + 1 FOR ${ID_BYTES}), 'LATIN1'))
         COLLATE "default" AS id
       FROM unnest(${blocks}::bigint[], ${places}::int[]) AS c (block_id, place)
       CROSS JOIN LATERAL (
         SELECT ids FROM invoice_search_blocks WHERE id = c.block_id LIMIT 1) b
     )
     SELECT s.id, i.* FROM s
     LEFT JOIN LATERAL (SELECT ${TEXTS} FROM (SELECT * FROM invoices WHERE id = s.id LIMIT 1) i
                        WHERE ${conditions.join(' AND ')}) i ON true
     WHERE s.id >= ${add(fromId)}::text AND s.id < ${add(beforeId)}::text
     ORDER BY s.id DESC`,
    values,
  );
  return rows;
}

/** The rarest of these kinds, as far as the first blocks tell. */
function rarest(grams: readonly number[], rows: readonly GramRow[]): number[] {
  const bytes = new Map<number, number>();
  for (const { gram, places } of rows) bytes.set(gram, (bytes.get(gram) ?? 0) + places.length);
  return [...grams]
    .sort((one, other) => (bytes.get(one) ?? 0) - (bytes.get(other) ?? 0))
    .slice(0, MOST_RARE_GRAMS);
}

/** Looks at the invoices of blocks that have all kinds of three characters of the words. */
async function searchBlocks(
  db: Queryable,
  search: WordSearch,
  allGrams: readonly number[],
  finding: Finding,
): Promise<void> {
  const { tenant, fromId, beforeId } = search;
  const { rows: blocks } = await db.query<{ id: string; last_id: string }>({
    name: 'search_blocks',
    text: `SELECT id, last_id FROM invoice_search_blocks
           WHERE merchant_id = $1 AND environment = $2::environment
             AND last_id >= $3 AND first_id < $4
           ORDER BY last_id DESC LIMIT ${MOST_BLOCKS}`,
    values: [tenant.merchantId, tenant.environment, fromId, beforeId],
  });
  let grams = allGrams;
  let at = 0;
  for (let step = 0; at < blocks.length && !finding.isOver; step++) {
    const ids = blocks.slice(at, at + (STEPS[step] ?? MOST_BLOCKS)).map(({ id }) => id);
    at += ids.length;
    const rows = await readGrams(db, ids, grams);
    const candidates = candidatesOf(ids, rows, grams.length);
    if (step === 0) grams = rarest(grams, rows);
    for (let next = 0; next < candidates.length && !finding.isOver; next += CHECKED_AT_ONCE) {
      finding.take(await check(db, candidates.slice(next, next + CHECKED_AT_ONCE), search));
    }
  }
  const last = blocks.at(-1);
  if (!finding.isOver && blocks.length === MOST_BLOCKS && last) finding.boundId = last.last_id;
}

/** Kinds of three characters from all over the words. */
function gramsToAsk(words: readonly string[]): number[] {
  const all = [...new Set(words.flatMap((word) => [...gramsOf(word)]))];
  if (all.length <= MOST_GRAMS) return all;
  return Array.from(
    { length: MOST_GRAMS },
    (_, at) => all[Math.floor((at * (all.length - 1)) / (MOST_GRAMS - 1))] ?? 0,
  );
}

/**
 * The tenant's invoices with all of these words in their texts, the newest first: those in no block
 * of the index one by one, then by blocks.
 *
 * @param search.words one of them has three characters or more
 * @param wanted the search ends when it has found so many
 */
export async function findByWords(
  db: Queryable,
  search: WordSearch,
  { wanted, lookedAt = MOST_LOOKED_AT }: { wanted: number; lookedAt?: number },
): Promise<WordMatches> {
  const finding = new Finding(search.words, { wanted, lookedAt });
  const grams = gramsToAsk(search.words);
  const { tenant } = search;
  const { rows: newest } = await db.query<{ last_id: string }>({
    name: 'newest_search_block',
    text: `SELECT last_id FROM invoice_search_blocks
           WHERE merchant_id = $1 AND environment = $2::environment
           ORDER BY last_id DESC LIMIT 1`,
    values: [tenant.merchantId, tenant.environment],
  });
  await searchTail(db, search, newest[0]?.last_id ?? '', finding);
  if (!finding.isOver) await searchBlocks(db, search, grams, finding);
  return { ids: finding.ids, boundId: finding.boundId };
}
