import DocsTextPage, { generateMetadata as metadataOf } from '../../[page]/page.tsx';

export const generateMetadata = metadataOf;

/** A page at its Russian address, by which it tells its language. */
export default DocsTextPage;
