// Elements with text that is no code.
import React, { useState } from 'react';
export const App: React.FC<Props> = ({ title, onClose = () => {} }) => {
	const [state, setState] = useState<(n: number) => void>(() => noop);
	const handle = useCallback((e) => { setState(e) }, []);
	const first = <T,>(x: T) => x;
	return (
		<Layout title="it's" render={() => <b>{title}</b>} {...props}>
			Don't call function fake() {'{'} or (a) =&gt; b
			{items.map((item) => {
				const key = () => item.id;
				return <Item<Data> key={key()} onClick={function clicked() { }} />;
			})}
			<>{/* const hidden = () => 1 */}</>
			<input disabled value={`${state}`} />
		</Layout>
	);
};
export default function Page() { return <App /> }
const Memo = React.memo(function Inner() { return null });
type Render = <T>(x: T) => JSX.Element;
interface Props { title: string; onClose?: () => void; draw(): void }
class Old extends React.Component<Props> { state = { open: false }; render() { return a < b ? <i>less</i> : <i>more</i> } }
