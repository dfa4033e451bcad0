import { searchIndex } from '../_markdown/search-index.ts';

// The index is made once, at build time: the texts are the same wherever the gateway runs.
export const dynamic = 'force-static';

export async function GET(): Promise<Response> {
  return Response.json(await searchIndex('en'));
}
