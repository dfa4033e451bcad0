import { ScreenLoading } from '../_parts/screen-loading.tsx';

export default ScreenLoading;
