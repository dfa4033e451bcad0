import { openApiDocument } from '#server/openapi/openapi.ts';
import { settings } from '#server/settings/settings.ts';

// The document names the public address, which is known only at run time.
export const dynamic = 'force-dynamic';

export function GET(): Response {
  return Response.json(openApiDocument(settings().publicUrl));
}
