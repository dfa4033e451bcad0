import { searchIndex } from '../_markdown/search-index.ts';

// Made once, when the gateway is built: the texts are the same wherever it runs.
export const dynamic = 'force-static';

export async function GET(): Promise<Response> {
  return Response.json(await searchIndex());
}
