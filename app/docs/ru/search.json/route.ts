import { searchIndex } from '../../_markdown/search-index.ts';

export const dynamic = 'force-static';

export async function GET(): Promise<Response> {
  return Response.json(await searchIndex('ru'));
}
