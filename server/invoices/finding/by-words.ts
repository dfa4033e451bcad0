import type { Queryable } from '../../db/pool.ts';
import type { Tenant } from '../../merchants/types.ts';
import { type Add, placeholders } from '../lists/list-order.ts';
import { commonPlaces, gramsOf, ID_BYTES, searchedText } from './grams.ts';
import { isIdPart } from './read-words.ts';

/** Blocks are read in steps that grow: a common word fills a page with the first. */
const STEPS = [4, 16];
const MOST_BLOCKS = 3_000;
/** More kinds of three characters would cost more than they leave out. */
const MOST_GRAMS = 12;
const MOST_RARE_GRAMS = 5;
const CHECKED_AT_ONCE = 500;
const TAIL_AT_ONCE = 1_000;
/** What a search may cost, in invoices that are read one after the other, as those in no block are. */
const MOST_COST = 7_000;
/** An invoice of a block is looked up by its key. */
const CANDIDATE_COST = 5;

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
type Limits = { wanted: number; mostCost: number };

const TEXTS = 'i.description, i.merchant_transaction_id AS "merchantTransactionId"';

function isMatch({ id, description, merchantTransactionId }: Row, words: readonly string[]) {
  // A candidate that the conditions leave out has no texts.
  if (description === null || merchantTransactionId === null) return false;
  const { texts } = searchedText({ id, description, merchantTransactionId });
  return words.every((word) => texts.includes(word) || (isIdPart(word) && id.includes(word)));
}

/** Collects matches until there are enough of them, or the search has cost enough. */
class Finding {
  readonly ids: string[] = [];
  boundId: string | null = null;
  readonly #words: readonly string[];
  readonly #limits: Limits;
  #cost = 0;

  constructor(words: readonly string[], limits: Limits) {
    this.#words = words;
    this.#limits = limits;
  }

  get isOver(): boolean {
    return this.boundId !== null || this.ids.length >= this.#limits.wanted;
  }

  take(rows: readonly Row[], cost: number): void {
    for (const row of rows) {
      if (this.isOver) return;
      if (isMatch(row, this.#words)) this.ids.push(row.id);
      this.#cost += cost;
      if (this.#cost >= this.#limits.mostCost) this.boundId = row.id;
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
    finding.take(rows, 1);
    const last = rows.at(-1);
    if (!last || rows.length < TAIL_AT_ONCE) return;
    untilId = last.id;
  }
}

type Block = { id: string; first_id: string; last_id: string; size: number };
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

/**
 * The places of the blocks, newest first, with all of these kinds of characters: up to so many at
 * once, because a common word is in all of them.
 */
function* candidatesOf(
  blocks: readonly Block[],
  rows: readonly GramRow[],
  kinds: number,
): Generator<Candidate[]> {
  const byBlock = new Map<string, Buffer[]>();
  for (const { block_id: blockId, places } of rows) {
    const packed = byBlock.get(blockId);
    if (packed) packed.push(places);
    else byBlock.set(blockId, [places]);
  }
  let candidates: Candidate[] = [];
  for (const { id: blockId, size } of blocks) {
    const packed = byBlock.get(blockId) ?? [];
    if (packed.length < kinds) continue;
    for (const place of commonPlaces(packed, size)) {
      candidates.push({ blockId, place });
      if (candidates.length < CHECKED_AT_ONCE) continue;
      yield candidates;
      candidates = [];
    }
  }
  if (candidates.length > 0) yield candidates;
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

async function readBlocks(db: Queryable, { tenant, fromId }: WordSearch): Promise<Block[]> {
  const { rows } = await db.query<Block>({
    name: 'search_blocks',
    text: `SELECT id, first_id, last_id, octet_length(ids) / ${ID_BYTES} AS size
           FROM invoice_search_blocks
           WHERE merchant_id = $1 AND environment = $2::environment AND last_id >= $3
           ORDER BY last_id DESC LIMIT ${MOST_BLOCKS}`,
    values: [tenant.merchantId, tenant.environment, fromId],
  });
  return rows;
}

/** Looks at the invoices of blocks that have all kinds of three characters of the words. */
async function searchBlocks(
  db: Queryable,
  search: WordSearch,
  all: readonly Block[],
  finding: Finding,
): Promise<void> {
  const blocks = all.filter(({ first_id: firstId }) => firstId < search.beforeId);
  let grams = gramsToAsk(search.words);
  let at = 0;
  for (let step = 0; at < blocks.length && !finding.isOver; step++) {
    const some = blocks.slice(at, at + (STEPS[step] ?? MOST_BLOCKS));
    at += some.length;
    const ids = some.map(({ id }) => id);
    const rows = await readGrams(db, ids, grams);
    const kinds = grams.length;
    if (step === 0) grams = rarest(grams, rows);
    for (const candidates of candidatesOf(some, rows, kinds)) {
      finding.take(await check(db, candidates, search), CANDIDATE_COST);
      if (finding.isOver) break;
    }
  }
  const last = all.at(-1);
  if (!finding.isOver && all.length === MOST_BLOCKS && last) finding.boundId = last.last_id;
}

/** Whether all blocks are as they were read: the worker merges old ones behind a search's back. */
async function areThere(db: Queryable, blocks: readonly Block[]): Promise<boolean> {
  const { rows } = await db.query<{ count: number }>({
    name: 'search_blocks_left',
    text: 'SELECT count(*)::int AS count FROM invoice_search_blocks WHERE id = ANY ($1::bigint[])',
    values: [blocks.map(({ id }) => id)],
  });
  return rows[0]?.count === blocks.length;
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
  { wanted, mostCost = MOST_COST }: { wanted: number; mostCost?: number },
): Promise<WordMatches> {
  for (;;) {
    const finding = new Finding(search.words, { wanted, mostCost });
    const blocks = await readBlocks(db, search);
    await searchTail(db, search, blocks[0]?.last_id ?? '', finding);
    if (finding.isOver) return { ids: finding.ids, boundId: finding.boundId };
    await searchBlocks(db, search, blocks, finding);
    if (await areThere(db, blocks)) return { ids: finding.ids, boundId: finding.boundId };
  }
}
