import { answerLogo } from '#server/rest/endpoints/logo.ts';

type Context = { params: Promise<{ merchantId: string; file: string }> };

export async function GET(_request: Request, { params }: Context): Promise<Response> {
  const { merchantId, file } = await params;
  return await answerLogo(merchantId, file);
}
