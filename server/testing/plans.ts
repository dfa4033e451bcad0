import type { Pool } from 'pg';
import type { Queryable } from '../db/pool.ts';

/** A node of what EXPLAIN (ANALYZE, FORMAT JSON) shows. */
export type Plan = {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
};

/** Runs each statement by EXPLAIN as well, and keeps in `reads` the nodes that read tables. */
export function explained(pool: Pool, reads: Plan[]): Queryable {
  const collect = (plan: Plan) => {
    if (plan['Relation Name']) reads.push(plan);
    for (const each of plan.Plans ?? []) collect(each);
  };
  return {
    query: async (statement, values) => {
      const query = typeof statement === 'string' ? { text: statement, values } : statement;
      const { rows } = await pool.query(
        `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${query.text}`,
        query.values ?? values,
      );
      collect(rows[0]['QUERY PLAN'][0].Plan as Plan);
      return await pool.query(statement, values);
    },
  };
}
