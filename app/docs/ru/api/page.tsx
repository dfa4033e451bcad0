import ApiReferencePage, { generateMetadata as metadataOf } from '../../api/page.tsx';

export const generateMetadata = metadataOf;

/** The reference within the Russian pages, by its address. */
export default ApiReferencePage;
