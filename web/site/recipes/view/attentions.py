import onnx

# Gives a model in ONNX its attentions as outputs, where they are the softmax of a node of its own, as exporters write it.
model = onnx.load("onnx/model.onnx")
layers = [node.output[0] for node in model.graph.node if node.op_type == "Softmax"]
for layer, weights in enumerate(layers):
    name = f"attentions.{layer}"
    model.graph.node.append(onnx.helper.make_node("Identity", [weights], [name]))
    model.graph.output.append(onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, None))
onnx.save(model, "onnx/model.onnx")
