import type { Pool, QueryConfig } from 'pg';
import type { Queryable } from '../../db/pool.ts';

/** A node of what EXPLAIN (ANALYZE, FORMAT JSON) shows. */
export type Plan = {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
};

/** Carries a statement out by EXPLAIN, and keeps in `reads` the nodes that read tables. */
async function explain(db: Queryable, reads: Plan[], query: QueryConfig): Promise<void> {
  const collect = (plan: Plan) => {
    if (plan['Relation Name']) reads.push(plan);
    for (const each of plan.Plans ?? []) collect(each);
  };
  const { rows } = await db.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
    `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${query.text}`,
    query.values,
  );
  for (const { Plan } of rows[0]?.['QUERY PLAN'] ?? []) collect(Plan);
}

/** Runs each statement by EXPLAIN as well, and keeps in `reads` the nodes that read tables. */
export function explained(pool: Pool, reads: Plan[]): Queryable {
  return {
    query: async (statement, values) => {
      const text = typeof statement === 'string' ? { text: statement, values } : statement;
      await explain(pool, reads, { values, ...text });
      return await pool.query(statement, values);
    },
  };
}

/**
 * The same for what runs in transactions: statements given as objects are explained, those given
 * as mere text (the words of the transaction) are not.
 */
export function explainedPool(pool: Pool, reads: Plan[]): Pool {
  const connect = async () => {
    const client = await pool.connect();
    const query = async (statement: string | QueryConfig, values?: unknown[]) => {
      if (typeof statement !== 'string') {
        // What is explained is carried out as well, and may be so only once.
        await client.query('SAVEPOINT explained');
        await explain(client, reads, statement);
        await client.query('ROLLBACK TO explained');
      }
      return await client.query(statement, values);
    };
    return { query, release: () => client.release() };
  };
  return { connect } as unknown as Pool;
}
