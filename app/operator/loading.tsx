import { ScreenLoading } from '../dashboard/_parts/screen-loading.tsx';

export default ScreenLoading;
