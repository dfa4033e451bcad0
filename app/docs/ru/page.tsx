import DocsOverview, { generateMetadata as metadataOf } from '../page.tsx';

export const generateMetadata = metadataOf;

/** The Russian overview: the page tells its language by its address. */
export default DocsOverview;
