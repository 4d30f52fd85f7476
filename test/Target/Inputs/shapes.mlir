// The six ops with nothing static, and a channel dimension in the middle too.
// Tests substitute other types for f32.

func.func @args(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %y = fakequant.args %x {min = -1.0, max = 2.0, num_bits = 5} : tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

func.func @args_gradient(%g: tensor<?x?xf32>, %x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %dx = fakequant.args_gradient %g, %x {min = -1.0, max = 2.0, num_bits = 5} : tensor<?x?xf32>, tensor<?x?xf32>
  return %dx : tensor<?x?xf32>
}

func.func @vars(%x: tensor<?x?xf32>, %min: tensor<f32>, %max: tensor<f32>) -> tensor<?x?xf32> {
  %y = fakequant.vars %x, %min, %max : tensor<?x?xf32>, tensor<f32>, tensor<f32>
  return %y : tensor<?x?xf32>
}

func.func @vars_gradient(%g: tensor<?x?xf32>, %x: tensor<?x?xf32>, %min: tensor<f32>, %max: tensor<f32>) -> (tensor<?x?xf32>, tensor<f32>, tensor<f32>) {
  %dx, %dmin, %dmax = fakequant.vars_gradient %g, %x, %min, %max : tensor<?x?xf32>, tensor<?x?xf32>, tensor<f32>, tensor<f32>
  return %dx, %dmin, %dmax : tensor<?x?xf32>, tensor<f32>, tensor<f32>
}

func.func @vars_per_channel(%x: tensor<?x?xf32>, %min: tensor<?xf32>, %max: tensor<?xf32>) -> tensor<?x?xf32> {
  %y = fakequant.vars_per_channel %x, %min, %max {num_bits = 4, narrow_range = true} : tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>
  return %y : tensor<?x?xf32>
}

func.func @vars_per_channel_gradient(%g: tensor<?x?xf32>, %x: tensor<?x?xf32>, %min: tensor<?xf32>, %max: tensor<?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %dx, %dmin, %dmax = fakequant.vars_per_channel_gradient %g, %x, %min, %max : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>
  return %dx, %dmin, %dmax : tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>
}

func.func @middle(%x: tensor<?x?x?xf32>, %min: tensor<?xf32>, %max: tensor<?xf32>) -> tensor<?x?x?xf32> {
  %y = fakequant.vars_per_channel %x, %min, %max {axis = 1} : tensor<?x?x?xf32>, tensor<?xf32>, tensor<?xf32>
  return %y : tensor<?x?x?xf32>
}

func.func @middle_gradient(%g: tensor<?x?x?xf32>, %x: tensor<?x?x?xf32>, %min: tensor<?xf32>, %max: tensor<?xf32>) -> (tensor<?x?x?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %dx, %dmin, %dmax = fakequant.vars_per_channel_gradient %g, %x, %min, %max {axis = 1} : tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?xf32>, tensor<?xf32>
  return %dx, %dmin, %dmax : tensor<?x?x?xf32>, tensor<?xf32>, tensor<?xf32>
}
