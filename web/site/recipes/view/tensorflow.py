import numpy as np
import tensorflow as tf

tokens = ["The", "old", "man", "and", "the", "sea"]
x = tf.random.normal([1, len(tokens), 64])
layers = [tf.keras.layers.MultiHeadAttention(num_heads=4, key_dim=16) for _ in range(2)]
attentions = [layer(x, x, return_attention_scores=True)[1] for layer in layers]

weights = np.concatenate(attentions)  # [layers, heads, n, n]
np.savez_compressed("attention.npz", weights=weights, tokens=tokens)
