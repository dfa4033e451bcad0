import type { Pool, QueryConfig } from 'pg';
import type { Queryable } from '../../db/pool.ts';

/** A node of EXPLAIN (ANALYZE, FORMAT JSON). */
export type Plan = {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
};

/** Executes a statement with EXPLAIN, and adds the nodes that read tables to `reads`. */
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

/** Runs each statement with EXPLAIN as well, and adds the nodes that read tables to `reads`. */
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
 * The same within transactions: statements given as objects are explained, those given as plain
 * text (BEGIN and the like) are not.
 */
export function explainedPool(pool: Pool, reads: Plan[]): Pool {
  const connect = async () => {
    const client = await pool.connect();
    const query = async (statement: string | QueryConfig, values?: unknown[]) => {
      if (typeof statement !== 'string') {
        // EXPLAIN ANALYZE executes the statement, which may happen only once.
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
